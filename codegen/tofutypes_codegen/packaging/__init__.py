"""Release archives of providers written in Python: `tofutypes package`."""
