"""OpenAPI description, completed with the limits and the API keys of this service."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from lexgear.serve.settings import ServeSettings

DESCRIPTION = """Retrieval of precedents and prediction of judgments.

Every response has a header `X-Request-Id`. The log records this id and the length of the texts, never the texts.
Every error is an `ErrorAnswer`; programs test its `code`. Offsets count Unicode characters. An answer does not depend
on other requests that are handled at the same time. Predicted charges must be verified; they are not legal advice.
"""
KEYS = {
    "bearer": {"type": "http", "scheme": "bearer"},
    "header": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
}
UNUSED_SCHEMAS = ("HTTPValidationError", "ValidationError")
"""FastAPI's error models, which this service never sends."""


def add_limits(app: FastAPI, settings: ServeSettings) -> None:
    """Add the limits and keys of the service to the OpenAPI description of an app."""
    plain = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _with_limits(plain(), settings)
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]


def _with_limits(description: dict[str, Any], settings: ServeSettings) -> dict[str, Any]:
    schemas = description["components"]["schemas"]
    for name in UNUSED_SCHEMAS:
        schemas.pop(name, None)
    for properties in (schemas["SearchRequest"]["properties"], schemas["ReportRequest"]["properties"]):
        _limit(properties["k"], "maximum", settings.k)
        _limit(properties["filters"], "maxItems", settings.filters)
        _limit(properties["filters"]["items"], "maxLength", settings.filter_characters)
    schemas["SearchRequest"]["properties"]["offset"]["maximum"] = settings.reach
    schemas["BatchRequest"]["properties"]["searches"]["maxItems"] = settings.batch
    for name in ("SearchRequest", "TextRequest", "JudgeRequest", "CompareRequest", "ReportRequest"):
        _limit_text(schemas[name]["properties"]["text"], settings.text_characters)
    if settings.api_key:
        description["components"]["securitySchemes"] = KEYS
        description["security"] = [{name: []} for name in KEYS]
    return description


def _limit(schema: dict[str, Any], limit: str, most: int) -> None:
    schema[limit] = min(most, schema.get(limit, most))


def _limit_text(schema: dict[str, Any], most: int) -> None:
    for one in (schema, *schema.get("anyOf", ())):
        if one.get("type") == "string":
            one["maxLength"] = most
