"""The endpoints, one question a file."""
