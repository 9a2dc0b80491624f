"""ASGI middleware of the service."""
