"""Version of the index per request."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

from lexgear.serve.versions import ServedVersions


class VersionMiddleware:
    """Gives every request the current version of the index, which stays open until the response is complete."""

    def __init__(self, app: ASGIApp, versions: ServedVersions) -> None:
        self.app, self.versions = app, versions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        with self.versions.leased() as service:
            scope.setdefault("state", {})["service"] = service
            await self.app(scope, receive, send)
