"""Hooks around OpenTofu and Terraform: relays in front of the providers of a configuration.

Terraform Core connects to a relay by `TF_REATTACH_PROVIDERS`. The relay passes bytes on to the real
provider, and calls the hooks of plugins before and after the calls about resources.
"""
