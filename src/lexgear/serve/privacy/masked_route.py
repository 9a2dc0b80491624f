"""Route class that masks names in every answer before it is rendered, and the check that no route goes without it."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Annotated, Any, Generic, TypeVar, cast

from fastapi import Depends, FastAPI, Request, Response
from fastapi.routing import APIRoute, iter_route_contexts
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from lexgear.serve.privacy.masking import NameMasking, NamePolicy, policy_for
from lexgear.serve.privacy.personal_data import query_texts
from lexgear.serve.service import Service, service_of

M = TypeVar("M", bound=BaseModel)
Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])
_PARAMETER = "masking_context"
_EXEMPTION = "masking_exemption"


class UnmaskedRouteError(RuntimeError):
    """A route of the app neither masks names nor declares why it does not have to."""


class RenderedAnswer(ABC, Generic[M]):
    """Answer in a format other than JSON: a model, and how to render it once its names are masked."""

    model: M

    @abstractmethod
    def render(self, model: M) -> Response:
        """Return the response for the masked model."""


def exempt_from_masking(reason: str) -> Callable[[Endpoint], Endpoint]:
    """Declare that the answers of an endpoint hold no names of private persons; the reason is for readers."""

    def mark(endpoint: Endpoint) -> Endpoint:
        setattr(endpoint, _EXEMPTION, reason)
        return endpoint

    return mark


class MaskedRoute(APIRoute):
    """Route whose endpoint returns a model or a `RenderedAnswer`, which is masked before it is rendered.

    router = APIRouter(route_class=MaskedRoute)
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, endpoint if is_exempt(endpoint) else _masked(endpoint), **options)


def check_routes(app: FastAPI) -> None:
    """Raise UnmaskedRouteError if a route of the app is neither masked nor exempt."""
    for context in iter_route_contexts(app.routes):
        route, endpoint = context.original_route, context.endpoint
        if isinstance(route, MaskedRoute) or is_exempt(endpoint) or context.path == app.openapi_url:
            continue
        raise UnmaskedRouteError(
            f"route {context.path!r} ({getattr(endpoint, '__module__', '')}.{getattr(endpoint, '__name__', endpoint)}) "
            "could show names of private persons: create its router with route_class=MaskedRoute, "
            "or mark the endpoint with @exempt_from_masking(reason)"
        )


def is_exempt(endpoint: Any) -> bool:
    """Return whether an endpoint is declared to hold no names."""
    return bool(getattr(endpoint, _EXEMPTION, ""))


@dataclass(frozen=True, slots=True)
class _Context:
    service: Service
    policy: NamePolicy


def _context(request: Request) -> _Context:
    return _Context(service_of(request), policy_for(request))


def _masked(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    """Return the endpoint with its answer masked, and with one more dependency: who may see names."""

    def finish(answer: Any, context: _Context, arguments: dict[str, Any]) -> Any:
        service, texts = context.service, tuple(query_texts([*arguments.values()]))
        masking = NameMasking(service.served_index, context.policy, texts, service.settings.names)
        if isinstance(answer, RenderedAnswer):
            return answer.render(masking.mask(answer.model))
        if isinstance(answer, BaseModel):
            return masking.mask(answer)
        raise TypeError(f"{endpoint.__module__}.{endpoint.__name__} returned {type(answer).__name__}, not a model")

    @wraps(endpoint)
    async def asynchronous(**arguments: Any) -> Any:
        context = arguments.pop(_PARAMETER)
        answer = await endpoint(**arguments)
        return await run_in_threadpool(finish, answer, context, arguments)

    @wraps(endpoint)
    def synchronous(**arguments: Any) -> Any:
        context = arguments.pop(_PARAMETER)
        return finish(endpoint(**arguments), context, arguments)

    wrapped: Any = asynchronous if inspect.iscoroutinefunction(endpoint) else synchronous
    signature = inspect.signature(endpoint, eval_str=True)
    context = inspect.Parameter(
        _PARAMETER, inspect.Parameter.KEYWORD_ONLY, annotation=Annotated[_Context, Depends(_context)]
    )
    wrapped.__signature__ = signature.replace(parameters=[*signature.parameters.values(), context])
    return cast("Callable[..., Any]", wrapped)
