"""The `serve` command."""

from __future__ import annotations

import os
from dataclasses import asdict
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from lexgear.commands.cluster import check_workers, opened_engine
from lexgear.commands.options import Cluster
from lexgear.errors import ErrorCode, InputError
from lexgear.terminal import progress_bar

KEY = "LEXGEAR_API_KEY"
SHARE_OF_DEADLINE = 0.8
"""Share of a request's time after which a shard that does not answer is given up, so that the client learns why."""
NEEDED = ("fastapi", "uvicorn", "pydantic", "jinja2", "python_multipart", "prometheus_client")


def serve(
    index: Annotated[Path, typer.Argument(help="Index directory, made by lexgear train.")],
    host: Annotated[
        str, typer.Option(help="Address to listen on; any but a loopback address requires an API key.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 chooses a free one.")] = 8000,
    api_key_file: Annotated[
        Path | None, typer.Option(help="File with the API key.", show_default=f"environment variable {KEY}")
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="Limit as NAME=VALUE, such as deadline=10; repeatable. One of {limits}."),
    ] = None,
    unmask: Annotated[
        bool, typer.Option(help="Allow clients to see the names of private persons; the page masks them by default.")
    ] = True,
    sample: Annotated[
        bool, typer.Option("--sample", help="If INDEX does not exist, index the built-in sample there first.")
    ] = False,
    workers: Annotated[
        int, typer.Option(min=0, help="Processes that serve, each with its own queue; 0 starts one per CPU.")
    ] = 1,
    cluster: Cluster = None,
    replicas: Annotated[
        int, typer.Option(min=1, help="Processes per shard, with --cluster; one may die without a pause.")
    ] = 1,
) -> None:
    """Serve an index over HTTP, as a web page and as an API.

    Without an API key only this machine is served. Several workers map the same index. With --cluster, the shards of a
    sharded index are searched by processes of a Ray cluster. Ctrl-C stops the service after the requests in progress.
    """
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise InputError(
            f"the service needs {', '.join(missing)}",
            code=ErrorCode.MISSING_DEPENDENCY,
            remedy="pip install 'lexgear[serve]'",
        )
    from lexgear.api import Index
    from lexgear.api.cluster import open_on
    from lexgear.index.manifest import read_manifest
    from lexgear.serve.app import create_app
    from lexgear.serve.server import open_socket, url_of
    from lexgear.serve.server import serve as serve_app
    from lexgear.serve.settings import Limits, ServeSettings
    from lexgear.serve.workers import serve_by_workers
    from lexgear.settings import read_settings

    check_workers(workers, cluster)
    limits = read_settings(Limits, None, set_ or ())
    settings = ServeSettings(**asdict(limits), host=host, port=port, api_key=_api_key(api_key_file), unmask=unmask)
    with open_socket(settings) as sock:
        if sample and not index.exists():
            _index_sample(index)
        manifest = read_manifest(index)  # reports a missing or damaged index before anything is loaded

        def announce() -> None:
            print(f"{index}: {manifest.ranker} over {manifest.documents:,} documents")
            print(f"Serving on {url_of(sock)} (Ctrl-C stops); the API: {url_of(sock)}/api/v1/openapi.json", flush=True)

        if (processes := workers or len(os.sched_getaffinity(0))) > 1:
            serve_by_workers(index, sock, settings, processes, announce)
            return
        with opened_engine(cluster) as engine:
            patience = SHARE_OF_DEADLINE * settings.deadline
            on_cluster = partial(open_on, engine, replicas=replicas, patience=patience)
            with progress_bar("Reading the index") as progress:
                app = create_app(index, settings, on_cluster if cluster else Index.load)
                progress(1, 1)
            announce()
            serve_app(app, sock, settings)


def _api_key(file: Path | None) -> str:
    if file is None:
        return os.environ.get(KEY, "").strip()
    from lexgear.files import read_text

    if not (key := read_text(file).strip()):
        raise InputError(
            "the file has no API key",
            code=ErrorCode.FILE_MALFORMED,
            file=file,
            remedy="write a key into it, such as 32 random letters",
        )
    return key


def _index_sample(out: Path) -> None:
    from lexgear.api import train
    from lexgear.corpus.sample.cases import sample_cases
    from lexgear.rankers.lexgear.ranker import Lexgear

    with progress_bar("Indexing the built-in sample") as progress:
        train(sample_cases(), Lexgear(), out, progress)
