"""The OpenAPI description: what FastAPI makes of the routes, with the limits and the keys that it cannot know."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from lexgear.serve.settings import ServeSettings

ABOUT = """Precedents and judgments in one walk down the law.

Every answer bears `X-Request-Id`; the log knows a request by it and by the length of its texts, never by the texts.
Every error is an `ErrorAnswer`. Offsets count Unicode characters. Answers are the same whoever else asks at the moment.
What the service says of charges is an opinion to be checked, not legal advice.
"""
KEYS = {
    "bearer": {"type": "http", "scheme": "bearer"},
    "header": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
}
NO_VALIDATION = ("HTTPValidationError", "ValidationError")
"""FastAPI's own models of an error, which is never sent."""


def describe(app: FastAPI, settings: ServeSettings) -> None:
    """Gives an app its description."""
    plain = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _with_limits(plain(), settings)
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]


def _with_limits(description: dict[str, Any], settings: ServeSettings) -> dict[str, Any]:
    schemas = description["components"]["schemas"]
    for name in NO_VALIDATION:
        schemas.pop(name, None)
    for asked in (schemas["SearchRequest"]["properties"], schemas["ReportRequest"]["properties"]):
        _at_most(asked["k"], "maximum", settings.k)
        _at_most(asked["filters"], "maxItems", settings.filters)
        _at_most(asked["filters"]["items"], "maxLength", settings.filter_characters)
    schemas["SearchRequest"]["properties"]["offset"]["maximum"] = settings.reach
    schemas["BatchRequest"]["properties"]["searches"]["maxItems"] = settings.batch
    for name in ("SearchRequest", "TextRequest", "CompareRequest", "ReportRequest"):
        _limit_text(schemas[name]["properties"]["text"], settings.text_characters)
    if settings.api_key:
        description["components"]["securitySchemes"] = KEYS
        description["security"] = [{name: []} for name in KEYS]
    return description


def _at_most(schema: dict[str, Any], limit: str, most: int) -> None:
    schema[limit] = min(most, schema.get(limit, most))


def _limit_text(schema: dict[str, Any], most: int) -> None:
    for one in (schema, *schema.get("anyOf", ())):
        if one.get("type") == "string":
            one["maxLength"] = most
