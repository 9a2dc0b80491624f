"""Models of the similar-case report and of the entries of its user. None: not provided by the search."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, field_validator

from lexgear.corpus.extraction.factors.comparison import FactorComparison
from lexgear.corpus.records import Citation, Count, Penalty

FORMAT = 1
"""Version of the JSON format; it grows when fields change their meaning."""
Line = Annotated[str, Field(max_length=500)]
Words = Annotated[str, Field(max_length=10_000)]
Language = Literal["zh", "fr", "en"]


class FrozenModel(BaseModel):
    """Base class: frozen, unknown fields are rejected."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Use(StrEnum):
    """Use that the user makes of a similar case (articles 8 and 9 of the opinion); never chosen by the program."""

    FOLLOWED = "followed"
    """参照: article 9 uses this word for guiding cases."""
    REFERRED = "referred"
    """参考: article 9 uses this word for all other cases."""
    DISTINGUISHED = "distinguished"
    """Neither followed nor referred to; the remark may give the reason."""
    OPEN = "open"
    """Not chosen yet."""


class Tier(StrEnum):
    """Authority of a decision, in the order of article 4 of the opinion."""

    GUIDING = "guiding"
    SUPREME = "supreme"
    HIGH = "high"
    ABOVE_OR_OWN = "above_or_own"
    OTHER = "other"
    UNKNOWN = "unknown"
    PROVISION = "provision"
    """A statutory article, not a case."""


class Pick(FrozenModel):
    """Case that the user picks for the report."""

    id: Annotated[str, Field(min_length=1, max_length=500)]
    use: Use = Use.OPEN
    remark: Words = ""


class Pending(FrozenModel):
    """Pending case, as the user describes it."""

    title: Line = ""
    number: Line = ""
    court: Annotated[Line, Field(description="Most authority tiers depend on it.")] = ""
    disputes: Annotated[tuple[Words, ...], Field(max_length=50)] = ()


class Entries(FrozenModel):
    """Entries of the user."""

    text: Annotated[str, Field(min_length=1, description="Text of the search.")]
    at: AwareDatetime = Field(description="Time of the search, with time zone.")
    by: Annotated[Line, Field(description="Name of the person who searched.")] = ""
    organisation: Annotated[Line, Field(description="Court, law firm or office of that person.")] = ""
    k: Annotated[int, Field(ge=1, le=1000)] = 10
    filters: Annotated[tuple[Line, ...], Field(max_length=50)] = ()
    node: Annotated[Line, Field(description="Only documents at or below this place of the law.")] = ""
    pending: Pending = Pending()
    cases: Annotated[tuple[Pick, ...], Field(max_length=100)] = ()
    language: Language = "zh"
    masked: Annotated[bool, Field(description="True if names of private persons are masked.")] = True

    @field_validator("cases")
    @classmethod
    def _unique(cls, cases: Sequence[Pick]) -> Sequence[Pick]:
        if len({pick.id for pick in cases}) < len(cases):
            raise ValueError("a case is listed twice")
        return cases


class SearchedIndex(FrozenModel):
    """Index that was searched."""

    name: str
    collection: str
    language: str
    ranker: str
    lexgear: str = Field(description="Version of lexgear that wrote the index.")
    format: int
    sha256: str = Field(description="SHA-256 of manifest.json, as sha256sum prints it.")
    documents: int


class Search(FrozenModel):
    """Record of the search: person, time, index and query."""

    by: str | None
    organisation: str | None
    at: AwareDatetime
    platform: str
    index: SearchedIndex
    text: str
    filters: tuple[str, ...]
    node: str | None = Field(description="Only documents at or below this place of the law.")
    node_path: str | None = Field(description="Names of the places on the path to `node`, from the code down.")
    k: int = Field(description="Number of results requested.")
    searched: int = Field(description="Number of documents that pass the filters.")
    found: int


class MaskedName(FrozenModel):
    """Masked name in a quotation: its place in the section, and its replacement."""

    start: int
    end: int
    shown: str


class Quote(FrozenModel):
    """Key point in the words of the judgment: `section[start:end]`, except for masked names."""

    section: str
    start: int
    end: int
    text: str
    masked: tuple[MaskedName, ...] = ()
    matched: tuple[str, ...] = Field(description="Words in common with the query, as they occur in the quotation.")


class Result(FrozenModel):
    """Document found by the search or picked by the user."""

    id: str
    rank: int | None = Field(description="None: not found by the search.")
    score: float | None
    tier: Tier
    tier_reason: str = Field(description="Code of the reason: `court`, `title`, `pending_court_missing`, …")
    title: str | None
    court: str | None
    level: str | None
    number: str | None
    date: str | None
    charges: tuple[str, ...]
    articles: tuple[Citation, ...]
    penalty: Penalty | None
    penalties_by_charge: tuple[Count, ...] = Field(
        (), description="The heaviest penalty for each charge alone; null: none is known, or only a combined one."
    )
    places: tuple[str, ...] = Field(description="Its places in the law.")
    in_force_from: str | None = Field(None, description="First day on which a statutory article is in force.")
    in_force_until: str | None = Field(None, description="Last day on which a statutory article is in force.")


class SimilarCase(Result):
    """Picked case with its key points and its use."""

    use: Use
    remark: str | None
    factors: FactorComparison | None = Field(
        None, description="Legal factors of the text of the search (left) and of the case (right)."
    )
    key_points: tuple[Quote, ...]


class Report(FrozenModel):
    """Similar-case report (类案检索报告)."""

    format: int = FORMAT
    language: Language
    masked: bool = Field(description="True if names of private persons are masked.")
    search: Search
    pending: Pending
    results: tuple[Result, ...] = Field(description="All results, best first.")
    cases: tuple[SimilarCase, ...] = Field(description="The picked cases, in the user's order.")

    @property
    def only_articles(self) -> bool:
        """True if all documents are statutory articles, which have no court, number or date."""
        found = (*self.results, *self.cases)
        return bool(found) and all(one.tier == Tier.PROVISION for one in found)


class WrittenReport(Report):
    """Report as written to JSON."""

    null_means: str = Field(description="Meaning of null, in the language of the report.")
