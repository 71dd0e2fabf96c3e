"""The host's side: starting plugins, calling them, and ending them."""
