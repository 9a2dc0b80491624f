"""The API: routes, request and response models, errors, OpenAPI description."""
