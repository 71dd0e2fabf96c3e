"""The interface of what answers the calls of Terraform Core or OpenTofu, without protobuf.

Handlers in this process, a gRPC provider elsewhere and a plugin on standard input and output can
all stand behind it; a gRPC server is one of the fronts that can stand before it.
"""
