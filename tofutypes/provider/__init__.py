"""The provider protocol (5 and 6): clients and servers. Needs the extra `tofutypes[provider]`."""
