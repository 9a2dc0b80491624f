"""What an endpoint is given: the served_index, the worker that asks it, and the limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from lexgear.serve.batching import BatchingWorker
from lexgear.serve.metrics import Metrics
from lexgear.serve.served_index import ServedIndex
from lexgear.serve.settings import ServeSettings
from lexgear.serve.validation import check_text

API = "/api/v1"
"""Where the endpoints stand; what changes their names gets another number."""


@dataclass(frozen=True)
class Service:
    """One index being served."""

    settings: ServeSettings
    served_index: ServedIndex
    worker: BatchingWorker
    metrics: Metrics

    def text(self, request: Request, *texts: str, field: str = "text") -> None:
        """Checks the texts of a request, whose length the journal notes."""
        state = request.scope["state"]
        for text in texts:
            state["characters"] = state.get("characters", 0) + len(text)
            check_text(text, self.settings.text_characters, field)


def service_of(request: Request) -> Service:
    """The service that an app was made for."""
    service: Service = request.app.state.service
    return service


CurrentService = Annotated[Service, Depends(service_of)]
