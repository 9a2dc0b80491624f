"""Deadline for requests."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lexgear.serve.api.errors import ApiError, request_id


class DeadlineMiddleware:
    """Answers 504 if a response has not started in time; the task of the request then leaves the queue."""

    def __init__(self, app: ASGIApp, seconds: float) -> None:
        self.app, self.seconds = app, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request. A response that has started is not interrupted."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        timeout = asyncio.timeout(self.seconds)

        async def send_and_stop_timer(message: Message) -> None:
            timeout.reschedule(None)
            await send(message)

        try:
            async with timeout:
                await self.app(scope, receive, send_and_stop_timer)
        except TimeoutError:
            if not timeout.expired():
                raise
            message = f"The answer was not ready within {self.seconds:g} seconds."
            error = ApiError(504, message, parameters={"seconds": self.seconds})
            await error.response(request_id(scope))(scope, receive, send)
