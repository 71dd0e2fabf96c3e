"""Resources of plugins: the provider service in messages. Needs the extra `provider`.

The rules of planning and applying are those of `tofutypes.provider`: its handlers answer the calls
of a host here, and a plugin answers the calls of Terraform Core there.
"""
