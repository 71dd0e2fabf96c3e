"""A provider of the harbor, a cloud that exists only in a folder."""
