"""The FastAPI application: routes, middleware and start-up checks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig

from lexgear import __version__
from lexgear.api import Index
from lexgear.serve.api.errors import add_exception_handlers
from lexgear.serve.api.openapi import DESCRIPTION, add_limits
from lexgear.serve.api.routes import cases, compare, judge, law, rationale, report, search, status
from lexgear.serve.metrics import Metrics
from lexgear.serve.middleware.access_log import AccessLogMiddleware
from lexgear.serve.middleware.auth import AuthMiddleware
from lexgear.serve.middleware.body_limit import BodyLimitMiddleware
from lexgear.serve.middleware.deadline import DeadlineMiddleware
from lexgear.serve.middleware.framing import FramingMiddleware
from lexgear.serve.middleware.headers import SecurityHeadersMiddleware
from lexgear.serve.middleware.version import VersionMiddleware
from lexgear.serve.page import routes as page
from lexgear.serve.page.errors import ErrorPageMiddleware
from lexgear.serve.privacy.masked_route import check_routes
from lexgear.serve.served_index import OpenIndex
from lexgear.serve.service import API
from lexgear.serve.settings import ServeSettings
from lexgear.serve.versions import ServedVersions

ROUTERS = (
    *(search.router, judge.router, rationale.router, compare.router, cases.router, law.router),
    *(report.router, status.about, status.router),
    *page.ROUTERS,
)
NO_TELEMETRY: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
    "exclude": lambda scope: True,
}
"""Without this, environment variables could make FastAPI send request data, facts included, to another machine."""


def create_app(
    index_dir: str | Path, settings: ServeSettings | None = None, open_index: OpenIndex = Index.load
) -> FastAPI:
    """Return an app that serves an index. More routers can be included before it starts:

    app = create_app("build/sample-index", ServeSettings(deadline=10))
    app.include_router(my_router)  # APIRouter(route_class=MaskedRoute)

    `open_index` opens the index in another way, such as on a cluster.

    Endpoints get the index as `service.CurrentService`. If the index changes on disk, later requests get the new
    version. The app does not start if an endpoint neither masks names
    (`MaskedRoute`) nor declares that it does not have to (`exempt_from_masking`).
    """
    settings = settings or ServeSettings()
    metrics = Metrics()
    versions = ServedVersions(Path(index_dir), settings, metrics, open_index)
    metrics.set_queue(lambda: versions.current.worker.waiting)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        check_routes(app)
        async with versions.following():
            yield

    app = FastAPI(
        title="lexgear",
        version=__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        openapi_url=f"{API}/openapi.json",
        docs_url=None,  # these pages load scripts from a CDN
        redoc_url=None,
        telemetry=NO_TELEMETRY,
        separate_input_output_schemas=False,
    )
    app.state.versions = versions
    for router in ROUTERS:
        app.include_router(router)
    add_exception_handlers(app)
    add_limits(app, settings)
    # The innermost middleware comes first.
    app.add_middleware(BodyLimitMiddleware, limit=settings.body_bytes, upload_limit=settings.upload_bytes)
    app.add_middleware(DeadlineMiddleware, seconds=settings.deadline)
    app.add_middleware(AuthMiddleware, api_key=settings.api_key)
    app.add_middleware(FramingMiddleware)
    app.add_middleware(AccessLogMiddleware, metrics=metrics)
    app.add_middleware(ErrorPageMiddleware)
    app.add_middleware(SecurityHeadersMiddleware)
    app.add_middleware(VersionMiddleware, versions=versions)
    return app
