"""The app: routes behind doors, every answer with safe headers, every request with an id, a limit and a deadline."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig

from lexgear import __version__
from lexgear.serve.api.errors import handle_faults
from lexgear.serve.api.openapi import ABOUT, describe
from lexgear.serve.api.routes import cases, compare, judge, law, rationale, report, search, status
from lexgear.serve.batching import Engine
from lexgear.serve.metrics import Metrics
from lexgear.serve.middleware.access_log import Journal
from lexgear.serve.middleware.auth import Doors
from lexgear.serve.middleware.body_limit import BodyLimit
from lexgear.serve.middleware.deadline import Deadline
from lexgear.serve.middleware.headers import SafeHeaders
from lexgear.serve.page import routes as page
from lexgear.serve.page.errors import ErrorPages
from lexgear.serve.served_index import Library
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
    """An app that serves an index; more routers can be included, and find what they need by `service.Served`.

    app = create_app("build/sample-index", ServeSettings(deadline=10))
    app.include_router(my_router)
    """
    settings = settings or ServeSettings()
    library, metrics = Library(Path(index_dir), several=settings.together > 1), Metrics()
    engine = Engine(library, settings, metrics)
    metrics.waiting = lambda: engine.waiting

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        engine.start()
        yield
        engine.close()
        library.close()

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
    app.state.service = Service(settings, library, engine, metrics)
    for router in ROUTERS:
        app.include_router(router)
    handle_faults(app)
    describe(app, settings)
    # From the inside out.
    app.add_middleware(BodyLimit, most=settings.body_bytes, most_upload=settings.upload_bytes)
    app.add_middleware(Deadline, seconds=settings.deadline)
    app.add_middleware(Doors, api_key=settings.api_key)
    app.add_middleware(Journal, metrics=metrics)
    app.add_middleware(ErrorPages)
    app.add_middleware(SafeHeaders)
    return app
