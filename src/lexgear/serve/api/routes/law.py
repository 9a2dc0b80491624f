"""Endpoints for the law, browsable from its root."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from lexgear.serve.api.errors import documented
from lexgear.serve.api.models import LawPlace, LawRoot
from lexgear.serve.api.serialization import brief_of, node_of
from lexgear.serve.privacy.masked_route import MaskedRoute
from lexgear.serve.service import API, CurrentService

MAX_DOCUMENTS = 100
"""Documents of a place in one answer."""
router = APIRouter(prefix=API, tags=["law"], route_class=MaskedRoute)


@router.get("/law", response_model=LawRoot, responses=documented(), operation_id="law")
def law(service: CurrentService) -> LawRoot:
    """Return the codes and the number of documents under each."""
    served_index = service.served_index
    return LawRoot(
        roots=[node_of(node, served_index) for node in served_index.index.law.roots],
        cases=served_index.index.stored.manifest.documents,
        unplaced=served_index.placement.unplaced,
    )


@router.get("/law/{node_id:path}", response_model=LawPlace, responses=documented(404, 422), operation_id="law_place")
def law_place(
    node_id: Annotated[str, Path(examples=["cn-criminal/2/5"])],
    service: CurrentService,
    k: Annotated[int, Query(ge=0, le=MAX_DOCUMENTS, description="Number of its documents to return.")] = 10,
    offset: Annotated[int, Query(ge=0, le=2**31, description="Number of documents to skip.")] = 0,
) -> LawPlace:
    """Return a place of the law: its text if the index has it, its path, the places below it, and its documents."""
    served_index = service.served_index
    node, tree = served_index.node(node_id), served_index.index.law
    ids = served_index.placement.below.get(node.id, ())
    return LawPlace(
        **dict(node_of(node, served_index)),
        text=node.text or None,
        path=[node_of(step, served_index) for step in tree.path(node)],
        below=[node_of(child, served_index) for child in tree.children(node)],
        documents=[brief_of(served_index.document(name), served_index) for name in ids[offset : offset + k]],
        offset=offset,
        next_offset=offset + k if k and offset + k < len(ids) else None,
    )
