"""Plugins on stdio, by OpenTofu's proposed plugin protocol "Seasonings". Experimental."""
