"""Whether the service works, what it counts, and what it serves."""

from __future__ import annotations

from dataclasses import fields

from fastapi import APIRouter, Response

from lexgear import __version__
from lexgear.index.checksum import manifest_sha256
from lexgear.serve.api.errors import Fault, documented
from lexgear.serve.api.models import Facet, Health, IndexAnswer
from lexgear.serve.metrics import CONTENT_TYPE
from lexgear.serve.service import API, Served
from lexgear.serve.settings import Limits

router = APIRouter(tags=["status"])
about = APIRouter(prefix=API, tags=["status"])


@router.get("/health", response_model=Health, responses=documented(503), operation_id="health")
async def health(served: Served) -> Health:
    """Whether questions are being answered; needs no key."""
    if not served.engine.healthy:
        raise Fault(503)
    return Health(status="ok", version=__version__)


@router.get(
    "/metrics",
    response_class=Response,
    responses={**documented(), 200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
    operation_id="metrics",
)
async def metrics(served: Served) -> Response:
    """Requests by route and status, their time, the queue and the sizes of batches, as Prometheus reads them."""
    return Response(served.metrics.text(), media_type=CONTENT_TYPE)


@about.get("/index", response_model=IndexAnswer, responses=documented(), operation_id="index")
async def index(served: Served) -> IndexAnswer:
    """What is searched here, what it can be filtered by, and the limits of a request."""
    stored, placement = served.library.index.stored, served.library.placement
    manifest = stored.manifest
    return IndexAnswer(
        collection=manifest.collection,
        language=manifest.language,
        ranker=manifest.ranker,
        documents=manifest.documents,
        lexgear=manifest.lexgear,
        sha256=manifest_sha256(manifest),
        judges=served.library.judges,
        facets={
            name: [Facet(value=value, cases=count) for value, count in counts.items()]
            for name, counts in placement.facets.items()
        },
        limits={limit.name: getattr(served.settings, limit.name) for limit in fields(Limits)},
    )
