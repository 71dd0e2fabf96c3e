"""What both sides of the protocol share: methods, capabilities, values, diagnostics."""
