"""The app: routes behind doors, every answer with safe headers, every request with an id, a limit and a deadline."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig

from lexgear import __version__
from lexgear.serve.api.errors import add_exception_handlers
from lexgear.serve.api.openapi import ABOUT, describe
from lexgear.serve.api.routes import cases, compare, judge, law, rationale, report, search, status
from lexgear.serve.batching import BatchingWorker
from lexgear.serve.metrics import Metrics
from lexgear.serve.middleware.access_log import AccessLogMiddleware
from lexgear.serve.middleware.auth import AuthMiddleware
from lexgear.serve.middleware.body_limit import BodyLimitMiddleware
from lexgear.serve.middleware.deadline import DeadlineMiddleware
from lexgear.serve.middleware.headers import SecurityHeadersMiddleware
from lexgear.serve.page import routes as page
from lexgear.serve.page.errors import ErrorPageMiddleware
from lexgear.serve.served_index import ServedIndex
from lexgear.serve.service import API, Service
from lexgear.serve.settings import ServeSettings

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
"""FastAPI would send elsewhere what goes on, facts among it, where the environment tells it to."""


def create_app(index_dir: str | Path, settings: ServeSettings | None = None) -> FastAPI:
    """An app that serves an index; more routers can be included, and find what they need by `service.CurrentService`.

    app = create_app("build/sample-index", ServeSettings(deadline=10))
    app.include_router(my_router)
    """
    settings = settings or ServeSettings()
    served_index, metrics = ServedIndex(Path(index_dir), several=settings.together > 1), Metrics()
    worker = BatchingWorker(served_index, settings, metrics)
    metrics.waiting = lambda: worker.waiting

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        worker.start()
        yield
        worker.close()
        served_index.close()

    app = FastAPI(
        title="lexgear",
        version=__version__,
        description=ABOUT,
        lifespan=lifespan,
        openapi_url=f"{API}/openapi.json",
        docs_url=None,  # its page loads scripts from elsewhere
        redoc_url=None,
        telemetry=NO_TELEMETRY,
        separate_input_output_schemas=False,
    )
    app.state.service = Service(settings, served_index, worker, metrics)
    for router in ROUTERS:
        app.include_router(router)
    add_exception_handlers(app)
    describe(app, settings)
    # From the inside out.
    app.add_middleware(BodyLimitMiddleware, most=settings.body_bytes, most_upload=settings.upload_bytes)
    app.add_middleware(DeadlineMiddleware, seconds=settings.deadline)
    app.add_middleware(AuthMiddleware, api_key=settings.api_key)
    app.add_middleware(AccessLogMiddleware, metrics=metrics)
    app.add_middleware(ErrorPageMiddleware)
    app.add_middleware(SecurityHeadersMiddleware)
    return app
