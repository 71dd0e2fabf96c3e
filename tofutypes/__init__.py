"""Typed pydantic models for the data of OpenTofu and Terraform providers."""

__version__ = "0.1.0"
