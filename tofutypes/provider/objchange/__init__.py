"""What Core, the engine of OpenTofu and Terraform, computes from values and checks.

The server finds its own faults with these checks before Core does; the client plays the part of
Core. All functions work on the schema of a block and on its values: an object is a model or a
mapping by the names on the wire. The name of the
package is Core's own: `internal/plans/objchange`.
"""
