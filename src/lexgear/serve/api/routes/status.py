"""Endpoints for health, metrics and the description of the index."""

from __future__ import annotations

from dataclasses import asdict, fields

from fastapi import APIRouter, Request, Response

from lexgear import __version__
from lexgear.index.manifest import manifest_sha256
from lexgear.serve.api.errors import ApiError, documented
from lexgear.serve.api.health_models import Health, IndexVersion
from lexgear.serve.api.models import Facet, IndexAnswer
from lexgear.serve.metrics import CONTENT_TYPE
from lexgear.serve.privacy.masked_route import exempt_from_masking
from lexgear.serve.service import API, CurrentService
from lexgear.serve.settings import Limits
from lexgear.serve.versions import ServedVersions

router = APIRouter(tags=["status"])
about = APIRouter(prefix=API, tags=["status"])


@router.get("/health", response_model=Health, responses=documented(503), operation_id="health")
@exempt_from_masking("status, versions and number of documents only")
async def health(request: Request, service: CurrentService) -> Health:
    """Report whether the service answers requests, and which version of the index. Needs no API key."""
    if not service.worker.healthy:
        raise ApiError(503)
    versions: ServedVersions = request.app.state.versions
    served = IndexVersion(**asdict(service.served_index.version))
    return Health(status="ok", version=__version__, index=served, warning=versions.warning)


@router.get(
    "/metrics",
    response_class=Response,
    responses={**documented(), 200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
    operation_id="metrics",
)
@exempt_from_masking("counters only")
async def metrics(service: CurrentService) -> Response:
    """Return request counts and times, queue length and batch sizes in the Prometheus text format."""
    return Response(service.metrics.text(), media_type=CONTENT_TYPE)


@about.get("/index", response_model=IndexAnswer, responses=documented(), operation_id="index")
@exempt_from_masking("manifest, filter values (courts, charges, years) and limits only")
async def index(service: CurrentService) -> IndexAnswer:
    """Describe the index: collection, ranker, values to filter by, and the limits of requests."""
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
