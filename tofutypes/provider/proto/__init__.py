"""The messages of the provider protocol. `make proto` writes the modules from the `.proto` files."""
