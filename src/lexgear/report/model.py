"""What goes into a similar-case report and what stands in it. None is what the search did not provide."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, field_validator

from lexgear.corpus.records import Citation, Penalty

FORMAT = 1
"""Grows when the fields of the JSON change their meaning."""
Line = Annotated[str, Field(max_length=500)]
Words = Annotated[str, Field(max_length=10_000)]
Language = Literal["zh", "fr", "en"]


class Fixed(BaseModel):
    """Frozen; unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Use(StrEnum):
    """What the user makes of a similar case (articles 8 and 9 of the opinion); the choice is never the search's."""

    FOLLOWED = "followed"
    """参照, the word of article 9 for guiding cases."""
    REFERRED = "referred"
    """参考, its word for all others."""
    DISTINGUISHED = "distinguished"
    """Neither, and the remark may say why."""
    OPEN = "open"
    """Not chosen yet."""


class Tier(StrEnum):
    """Whose decision a case is, in the order of article 4 of the opinion."""

    GUIDING = "guiding"
    SUPREME = "supreme"
    HIGH = "high"
    ABOVE_OR_OWN = "above_or_own"
    OTHER = "other"
    UNKNOWN = "unknown"
    PROVISION = "provision"
    """No case at all: a statutory article."""


class Pick(Fixed):
    """A case the user puts into the report, in the user's order."""

    id: Annotated[str, Field(min_length=1, max_length=500)]
    use: Use = Use.OPEN
    remark: Words = ""


class Pending(Fixed):
    """The case to be decided, as the user describes it."""

    title: Line = ""
    number: Line = ""
    court: Annotated[Line, Field(description="Without it few tiers can be told.")] = ""
    disputes: Annotated[tuple[Words, ...], Field(max_length=50)] = ()


class Entries(Fixed):
    """All that the user enters."""

    text: Annotated[str, Field(min_length=1, description="What was searched for.")]
    at: AwareDatetime = Field(description="When, with the time zone.")
    by: Annotated[Line, Field(description="Who searched.")] = ""
    organisation: Annotated[Line, Field(description="Court, firm or office of who searched.")] = ""
    k: Annotated[int, Field(ge=1, le=1000)] = 10
    filters: Annotated[tuple[Line, ...], Field(max_length=50)] = ()
    node: Annotated[Line, Field(description="Only documents at or below this place of the law.")] = ""
    pending: Pending = Pending()
    cases: Annotated[tuple[Pick, ...], Field(max_length=100)] = ()
    language: Language = "zh"
    masked: Annotated[bool, Field(description="Whether names of private persons are masked.")] = True

    @field_validator("cases")
    @classmethod
    def _each_once(cls, cases: Sequence[Pick]) -> Sequence[Pick]:
        if len({pick.id for pick in cases}) < len(cases):
            raise ValueError("a case stands twice in the list")
        return cases


class SearchedIndex(Fixed):
    """Which index was searched, in which state."""

    name: str
    collection: str
    language: str
    ranker: str
    lexgear: str = Field(description="Version that wrote the index.")
    format: int
    sha256: str = Field(description="Of its manifest, as `sha256sum INDEX/manifest.json` prints it.")
    documents: int


class Search(Fixed):
    """Who searched, when, where and how."""

    by: str | None
    organisation: str | None
    at: AwareDatetime
    platform: str
    index: SearchedIndex
    text: str
    filters: tuple[str, ...]
    node: str | None = Field(description="Only documents at or below this place of the law.")
    node_path: str | None = Field(description="The same by name, from the code down.")
    k: int = Field(description="How many were asked for.")
    searched: int = Field(description="Documents that pass the filters.")
    found: int


class MaskedName(Fixed):
    """A name that was masked in a quotation: its place in the section, and what is shown instead."""

    start: int
    end: int
    shown: str


class Quote(Fixed):
    """A key point in the judgment's own words: `section[start:end]`, but for the names that are masked."""

    section: str
    start: int
    end: int
    text: str
    masked: tuple[MaskedName, ...] = ()
    matched: tuple[str, ...] = Field(description="Words it shares with what was searched for, as it writes them.")


class Result(Fixed):
    """A document found, or picked by hand."""

    id: str
    rank: int | None = Field(description="None: not among those found.")
    score: float | None
    tier: Tier
    tier_reason: str = Field(description="Name of the reason: `court`, `title`, `pending_court_missing`, …")
    title: str | None
    court: str | None
    level: str | None
    number: str | None
    date: str | None
    charges: tuple[str, ...]
    articles: tuple[Citation, ...]
    penalty: Penalty | None
    places: tuple[str, ...] = Field(description="Where it hangs in the law.")


class SimilarCase(Result):
    """A picked case with its key points and what the user makes of it."""

    use: Use
    remark: str | None
    key_points: tuple[Quote, ...]


class Report(Fixed):
    """A similar-case report."""

    format: int = FORMAT
    language: Language
    masked: bool
    search: Search
    pending: Pending
    results: tuple[Result, ...] = Field(description="All that was found, best first.")
    cases: tuple[SimilarCase, ...] = Field(description="Those the user picked, in the user's order.")


class WrittenReport(Report):
    """A report as its JSON has it."""

    null_means: str = Field(description="What a null says, in the language of the report.")
