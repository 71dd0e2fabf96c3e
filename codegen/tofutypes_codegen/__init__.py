"""From provider schemas to packages of typed Python models."""
