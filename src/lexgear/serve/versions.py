"""Versions of the served index: the service follows the changes of its directory without dropping a request.

A request is handled by one version from its beginning to its end. A new version is loaded in a thread; then new
requests go to it, and the old one is closed after its last request.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from lexgear.api import Index
from lexgear.errors import InputError
from lexgear.index.manifest import MANIFEST, manifest_sha256, read_manifest
from lexgear.serve.metrics import Metrics
from lexgear.serve.served_index import OpenIndex
from lexgear.serve.service import Service
from lexgear.serve.settings import ServeSettings

LOG = logging.getLogger("lexgear.serve")
POLL_SECONDS = 1.0
"""Time between two looks at the manifest; a look is one `stat`."""
RETRY_POLLS = 30
"""Looks after which an index that could not be loaded is tried again although its manifest has not changed."""


@dataclass(eq=False)
class _Version:
    service: Service
    requests: int = 0
    is_retired: bool = False


class ServedVersions:
    """The current version of an index, and earlier ones that still have requests."""

    def __init__(
        self, directory: Path, settings: ServeSettings, metrics: Metrics, open_index: OpenIndex = Index.load
    ) -> None:
        self.directory, self.settings, self.metrics, self._open_index = directory, settings, metrics, open_index
        self.warning: str | None = None
        """Code of the error that kept the newest version from being loaded."""
        self._seen, self._polls_since = _state(directory), 0
        self._version = _Version(Service.open(directory, settings, metrics, open_index))
        self._closing: set[asyncio.Task[None]] = set()

    @property
    def current(self) -> Service:
        """The service of the current version."""
        return self._version.service

    @contextmanager
    def leased(self) -> Iterator[Service]:
        """Yield the current service and keep its version open during the block."""
        version = self._version
        version.requests += 1
        try:
            yield version.service
        finally:
            version.requests -= 1
            self._close_if_unused(version)

    @asynccontextmanager
    async def following(self) -> AsyncIterator[None]:
        """Start the service, and follow the directory during the block."""
        self.current.worker.start()
        follower = asyncio.create_task(self._follow())
        try:
            yield
        finally:
            follower.cancel()
            with suppress(asyncio.CancelledError):
                await follower
            await asyncio.gather(*self._closing)
            self.current.close()

    async def _follow(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            await self.refresh()

    async def refresh(self) -> None:
        """Switch to the version on disk if it is another one; keep the present one if it cannot be loaded."""
        state = await asyncio.to_thread(_state, self.directory)
        self._polls_since += 1
        if state == self._seen and not (self.warning and self._polls_since >= RETRY_POLLS):
            return
        self._seen, self._polls_since = state, 0
        try:
            service = await asyncio.to_thread(self._load)
        except Exception as error:  # whatever is wrong with the new version, the old one still answers
            self.warning = str(error.code) if isinstance(error, InputError) else type(error).__name__
            LOG.warning("the changed index cannot be loaded (%s); the old one is served", self.warning)
            return
        self.warning = None
        if service is not None:
            self._switch(service)

    def _load(self) -> Service | None:
        """Load the version on disk; None if it is served already."""
        if manifest_sha256(read_manifest(self.directory)) == self.current.served_index.version.sha256:
            return None
        return Service.open(self.directory, self.settings, self.metrics, self._open_index)

    def _switch(self, service: Service) -> None:
        service.worker.start()
        old, self._version = self._version, _Version(service)
        old.is_retired = True
        version = service.served_index.version
        LOG.info("switched to index %s with %d documents", version.sha256[:12], version.documents)
        self._close_if_unused(old)

    def _close_if_unused(self, version: _Version) -> None:
        if version.is_retired and not version.requests:
            task = asyncio.create_task(asyncio.to_thread(version.service.close))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)


def _state(directory: Path) -> tuple[int, int, int] | None:
    """Return what changes when the manifest is replaced; None if there is none."""
    try:
        found = (directory / MANIFEST).stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size
