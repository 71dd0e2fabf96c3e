"""Checks of any plugin, in any language: `tofutypes plugin check -- COMMAND`."""
