"""A request has so long, from its first byte to the answer; then it is told so, and its task leaves the queue."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lexgear.serve.api.errors import ApiError, request_id


class DeadlineMiddleware:
    """Answers 504 for what takes too long."""

    def __init__(self, app: ASGIApp, seconds: float) -> None:
        self.app, self.seconds = app, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on for a while. An answer that has begun is not cut off."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        clock = asyncio.timeout(self.seconds)

        async def sending(message: Message) -> None:
            clock.reschedule(None)
            await send(message)

        try:
            async with clock:
                await self.app(scope, receive, sending)
        except TimeoutError:
            if not clock.expired():
                raise
            late = ApiError(504, f"The answer was not ready within {self.seconds:g} seconds.")
            await late.response(request_id(scope))(scope, receive, send)
