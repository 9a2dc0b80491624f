"""HTTP protocol that ends the connections of clients that are too slow.

uvicorn waits for ever for the rest of a head, for the rest of a body whose request has been answered already, and for
a client that does not read its answer; each of them keeps a connection, and the system has only so many.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol


class TimedProtocol(H11Protocol):
    """HTTP/1.1 with a time limit wherever the deadline of a request does not apply."""

    head_seconds: float
    """Seconds for the head of a request, and for the rest of the body of a request that has been answered."""
    write_seconds: float
    """Seconds that a client may leave a full buffer unread."""
    _head_timer: asyncio.TimerHandle | None = None
    _write_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for a head."""
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        """Read what has arrived. The limit is for the whole head: it does not start again with each byte."""
        super().data_received(data)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop to wait."""
        super().connection_lost(exc)
        for timer in (self._head_timer, self._write_timer):
            if timer is not None:
                timer.cancel()

    def pause_writing(self) -> None:
        """Start to wait for the client to read."""
        super().pause_writing()
        self._write_timer = self.loop.call_later(self.write_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop to wait for the client to read."""
        super().resume_writing()
        if self._write_timer is not None:
            self._write_timer.cancel()

    def _await_head(self) -> None:
        """Start the timer unless it runs; stop it while a request is being answered."""
        answering = self.cycle is not None and not self.cycle.response_complete
        if answering and self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
        elif not answering and self._head_timer is None:
            self._head_timer = self.loop.call_later(self.head_seconds, self.transport.abort)


def timed_protocol(head_seconds: float, write_seconds: float) -> type[TimedProtocol]:
    """Return the protocol with the given limits, as uvicorn expects a class."""
    return type("TimedProtocol", (TimedProtocol,), {"head_seconds": head_seconds, "write_seconds": write_seconds})
