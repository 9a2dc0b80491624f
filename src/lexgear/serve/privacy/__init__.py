"""Masking of the names of private persons in every answer of the service."""
