"""Registry documentation: Markdown pages as OpenTofu's and Terraform's registries show them."""
