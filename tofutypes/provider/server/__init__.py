"""Providers written in Python: what their authors write, and what serves it."""
