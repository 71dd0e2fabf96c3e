"""The sub-commands of `tofutypes`, a module each; `table` lists them."""
