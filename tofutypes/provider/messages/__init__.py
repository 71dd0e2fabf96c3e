"""What goes over the connection, and what it means in Python."""
