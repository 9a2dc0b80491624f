"""Objects that the endpoints of one app share, and the FastAPI dependency that provides them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Request

from lexgear.api import Index
from lexgear.serve.batching import BatchingWorker
from lexgear.serve.metrics import Metrics
from lexgear.serve.served_index import OpenIndex, ServedIndex
from lexgear.serve.settings import ServeSettings
from lexgear.serve.validation import check_text

API = "/api/v1"
"""Path prefix of the API; incompatible changes get a new number."""


@dataclass(frozen=True)
class Service:
    """One served index with its worker, limits and metrics."""

    settings: ServeSettings
    served_index: ServedIndex
    worker: BatchingWorker
    metrics: Metrics

    @classmethod
    def open(
        cls, directory: Path, settings: ServeSettings, metrics: Metrics, open_index: OpenIndex = Index.load
    ) -> Service:
        """Load an index."""
        served_index = ServedIndex(directory, several=settings.together > 1, open_index=open_index)
        return cls(settings, served_index, BatchingWorker(served_index, settings, metrics), metrics)

    def close(self) -> None:
        """Finish the waiting tasks, and release threads and files."""
        self.worker.close()
        self.served_index.close()

    def check_texts(self, request: Request, *texts: str, field: str = "text") -> None:
        """Raise ApiError if a text of a request is too long. The access log records the number of characters."""
        state = request.scope["state"]
        for text in texts:
            state["characters"] = state.get("characters", 0) + len(text)
            check_text(text, self.settings.text_characters, field)


def service_of(request: Request) -> Service:
    """Return the service that handles a request; the same one from its beginning to its end."""
    service: Service = request.scope["state"]["service"]
    return service


CurrentService = Annotated[Service, Depends(service_of)]
