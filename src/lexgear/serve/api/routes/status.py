"""Whether the service works, what it counts, and what it serves."""

from __future__ import annotations

from dataclasses import fields

from fastapi import APIRouter, Response

from lexgear import __version__
from lexgear.index.manifest import manifest_sha256
from lexgear.serve.api.errors import ApiError, documented
from lexgear.serve.api.models import Facet, Health, IndexAnswer
from lexgear.serve.metrics import CONTENT_TYPE
from lexgear.serve.service import API, CurrentService
from lexgear.serve.settings import Limits

router = APIRouter(tags=["status"])
about = APIRouter(prefix=API, tags=["status"])


@router.get("/health", response_model=Health, responses=documented(503), operation_id="health")
async def health(service: CurrentService) -> Health:
    """Whether questions are being answered; needs no key."""
    if not service.worker.healthy:
        raise ApiError(503)
    return Health(status="ok", version=__version__)


@router.get(
    "/metrics",
    response_class=Response,
    responses={**documented(), 200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
    operation_id="metrics",
)
async def metrics(service: CurrentService) -> Response:
    """Requests by route and status, their time, the queue and the sizes of batches, as Prometheus reads them."""
    return Response(service.metrics.text(), media_type=CONTENT_TYPE)


@about.get("/index", response_model=IndexAnswer, responses=documented(), operation_id="index")
async def index(service: CurrentService) -> IndexAnswer:
    """What is searched here, what it can be filtered by, and the limits of a request."""
    stored, placement = service.served_index.index.stored, service.served_index.placement
    manifest = stored.manifest
    return IndexAnswer(
        collection=manifest.collection,
        language=manifest.language,
        ranker=manifest.ranker,
        documents=manifest.documents,
        lexgear=manifest.lexgear,
        sha256=manifest_sha256(manifest),
        judges=service.served_index.judges,
        facets={
            name: [Facet(value=value, cases=count) for value, count in counts.items()]
            for name, counts in placement.facets.items()
        },
        limits={limit.name: getattr(service.settings, limit.name) for limit in fields(Limits)},
    )
