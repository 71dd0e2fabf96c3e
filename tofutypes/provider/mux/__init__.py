"""Several sets of handlers and other providers' executables as one provider.

So that a provider in Go can be moved to Python a resource at a time. The counterpart of
terraform-plugin-mux, which joins providers in Go.
"""
