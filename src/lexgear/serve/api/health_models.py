"""Response models of the health check."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from lexgear.serve.api.models import ResponseModel


class IndexVersion(ResponseModel):
    """Version of an index; every change of its documents makes a new one."""

    sha256: str = Field(description="SHA-256 of manifest.json.")
    written: str = Field(description="Time of the last change, `YYYY-MM-DDThh:mm:ssZ`.")
    documents: int


class Health(ResponseModel):
    """Health check."""

    status: Literal["ok"]
    version: str = Field(description="Version of lexgear.")
    index: IndexVersion = Field(description="Version of the index that is served.")
    warning: str | None = Field(
        description="Error code, such as `index_damaged`, if the index on disk changed and cannot be loaded; the "
        "version above is served meanwhile."
    )
