"""The messages of the provider protocol; `make proto` writes the modules."""
