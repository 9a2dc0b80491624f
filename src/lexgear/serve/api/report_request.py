"""What is asked of the service for a report: the search, the cases that were picked, and what only its user knows."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field, field_validator

from lexgear.report.model import Language, Line, Words
from lexgear.serve.api.models import FACTS, Asked, Text


class ReportCase(Asked):
    """A case that goes into a report."""

    id: str = Field(min_length=1, max_length=500)
    use: Literal["followed", "referred", "distinguished"] | None = Field(
        None, description="What whoever searched makes of it; null where that is not decided."
    )
    remark: Words = Field("", description="Why.")


class ReportRequest(Asked):
    """A similar-case report on a search."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "text": FACTS,
                    "cases": [{"id": "c0001", "use": "referred", "remark": "手段相同"}],
                    "disputes": ["是否属于入户盗窃？"],
                    "by": "王法官助理",
                    "format": "json",
                }
            ]
        }
    )
    text: Text
    k: int = Field(10, ge=1, le=1000, description="How many are searched for.")
    filters: list[Line] = Field(default_factory=list, max_length=50, description="As in a search.")
    node: Line | None = Field(None, description="Only documents at or below this place of the law.")
    cases: list[ReportCase] = Field(default_factory=list, max_length=100, description="In your order, each once.")
    by: Line = Field("", description="Who searches.")
    organisation: Line = Field("", description="Court, firm or office of who searches.")
    title: Line = Field("", description="The pending case.")
    number: Line = Field("", description="Its case number.")
    court: Line = Field("", description="Its court; without it few authority tiers can be told.")
    disputes: list[Words] = Field(default_factory=list, max_length=50, description="Its disputed points.")
    language: Language | None = Field(None, description="Null: that of the index.")
    format: Literal["docx", "html", "md", "json", "csv"] = Field("docx", description="`csv`: the results alone.")
    masked: bool = Field(
        True, description="Whether names of private persons are masked; false is refused where `unmask` is not set."
    )

    @field_validator("cases")
    @classmethod
    def _each_once(cls, cases: list[ReportCase]) -> list[ReportCase]:
        if len({case.id for case in cases}) < len(cases):
            raise ValueError("a case stands twice in the list")
        return cases
