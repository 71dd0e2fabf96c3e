"""What the core of OpenTofu and Terraform computes of values, and what it checks.

A provider's server needs it to find its faults before the core does, a client to do the core's
part. Everything here works on a block's schema and values of it: objects are models or mappings
by the names on the wire.
"""
