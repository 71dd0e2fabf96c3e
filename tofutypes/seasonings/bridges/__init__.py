"""Bridges from plugins to the OpenTofu and Terraform of today. Need the extra `seasonings`."""
