"""The messages of the protocol, and their conversion from and to Python."""
