"""What is asked and what is answered: the types of the API. Names are stable; a field without a value is null.

Offsets count Unicode characters (code points) from 0, as Python does; `end` is where the next one begins.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from lexgear.judgment.judge import NoteCode

FACTS = "被告人深夜翻墙进入一家商店，撬开收银柜拿走现金五千余元，次日被抓获，如实供述。"
NODE = "cn-criminal/2/5/264/盗窃罪"
PROBABILITY = Field(ge=0, le=1)
Text = Annotated[str, Field(min_length=1, description="Facts of an undecided case, or a question.", examples=[FACTS])]


class Asked(BaseModel):
    """What a client sends: unknown fields and other types are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Answer(BaseModel):
    """What the service sends."""

    model_config = ConfigDict(frozen=True)


class FieldError(Answer):
    """One invalid field of a request."""

    field: str = Field(examples=["body.filters.0"])
    code: str = Field(description="Kind of error, for programs: pydantic's error type, or one such as `text_too_long`.")
    problem: str = Field(description="What is wrong, in English.")
    parameters: dict[str, str | int | float] = Field(description="Values that a translation of `code` needs.")


class ErrorAnswer(Answer):
    """Body of every error response."""

    code: str = Field(description="Kind of error, for programs, such as `invalid`, `invalid_filter` or `busy`.")
    message: str = Field(description="What is wrong, in English.")
    parameters: dict[str, str | int | float] = Field(description="Values that a translation of `code` needs.")
    where: list[FieldError] = Field(description="The invalid fields, if the error is about fields.")
    request_id: str = Field(description="As in the header `X-Request-Id`.")


class SearchRequest(Asked):
    """A search for precedents, or for statutory articles."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"text": FACTS, "k": 5, "filters": ["charge=盗窃罪", "date>=2015"]}]}
    )
    text: Text
    k: int = Field(10, ge=1, description="How many hits.")
    offset: int = Field(0, ge=0, description="How many of the best to pass over: the second page of ten begins at 10.")
    filters: list[str] = Field(
        default_factory=list,
        description="As in `lexgear search --filter`; all have to hold. `charge`, `article`, `court`, `level`, "
        "`region`, `date`, `penalty` or `months`, then `=` or `!=` (`date` and `months` also `<`, `<=`, `>`, `>=`), "
        "then a value.",
        examples=[["level=basic", "months<36"]],
    )
    node: str | None = Field(
        None, description="Only documents at or below this place of the law.", examples=["cn-criminal/2/5"]
    )
    include_text: bool = Field(False, description="Whether hits come with their `sections`.")


class BatchRequest(Asked):
    """Several searches in one request."""

    searches: list[SearchRequest] = Field(min_length=1)


class TextRequest(Asked):
    """One text."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": FACTS}]})
    text: Text


class CompareRequest(Asked):
    """A text, or another case, beside a case."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": FACTS, "with": "c0001"}]}, populate_by_name=True)
    text: Text | None = None
    case: str | None = Field(None, description="Id of a case to compare instead of a text.")
    with_: str = Field(alias="with", description="Id of the case it is compared with.", examples=["c0001"])


class Part(Answer):
    """A word or a sentence of a text that matters."""

    kind: Literal["word1", "word2", "sentence"] = Field(
        description="`word1`: of a charge's name, `word2`: of its definition."
    )
    text: str
    start: int
    end: int
    score: float
    charge: str = Field(description="The charge it speaks for; empty where nothing tells.")


class Rationale(Answer):
    """What f_R picks of a text."""

    words: list[Part]
    sentences: list[Part]


class Citation(Answer):
    """An article as a judgment cites it."""

    law: str = Field(examples=["刑法"])
    number: str = Field(examples=["264"])


class Penalty(Answer):
    """A sentence."""

    kind: str = Field(examples=["imprisonment"])
    months: int | None
    probation_months: int | None
    fine: int | None = Field(description="In yuan.")


class Defendant(Answer):
    """A defendant, the charges found against them and their sentence."""

    name: str
    charges: list[str]
    penalty: Penalty | None


class LawStep(Answer):
    """A place of the law by its id, its kind and the name it goes by."""

    id: str = Field(examples=[NODE])
    kind: str = Field(examples=["charge"])
    name: str = Field(examples=["盗窃罪"])


class CaseBrief(Answer):
    """A judgment or a statutory article without its text; null is what the index does not know."""

    id: str
    title: str | None
    charges: list[str]
    articles: list[Citation]
    penalty: Penalty | None = Field(description="The heaviest of the final sentences.")
    court: str | None
    level: str | None
    region: str | None
    date: str | None = Field(description="`YYYY-MM-DD`.")
    number: str | None = Field(description="Case number.")
    node: str | None = Field(description="Of a statutory article: its own place in the law.")
    paths: list[list[LawStep]] = Field(description="From the code down to each of its charges, or to the article.")


class Case(CaseBrief):
    """The same with its text, by section."""

    sections: dict[str, str] = Field(
        description="`fact`, `reasoning`, `verdict`; `text` where the source has no parts."
    )
    defendants: list[Defendant]


class WalkStep(Answer):
    """One step down the law."""

    place: str
    probability: float = PROBABILITY


class SharedWord(Answer):
    """A word of the query that the document has too."""

    word: str
    weight: float


class Explanation(Answer):
    """Why a document was found: `charge`, `content`, `words` and `asked` add up to the score."""

    charge: float
    content: float
    words: float
    asked: float
    paths: list[list[WalkStep]]
    shared: list[SharedWord]
    rationale: list[Part] = Field(description="Parts of the query that speak for its charges.")


class Hit(CaseBrief):
    """A document found."""

    rank: int = Field(ge=1)
    score: float
    explanation: Explanation | None = Field(description="Null where the ranker cannot say.")
    sections: dict[str, str] | None = Field(description="Null unless `include_text` was set.")
    defendants: list[Defendant] | None = Field(description="Null unless `include_text` was set.")


class SearchAnswer(Answer):
    """The hits, best first."""

    hits: list[Hit]
    offset: int
    next_offset: int | None = Field(description="Where the next page begins; null where there is none.")


class BatchAnswer(Answer):
    """The answers to several searches, in their order."""

    answers: list[SearchAnswer]


class Charge(Answer):
    """A charge that the facts may lead to."""

    name: str
    probability: float = Field(ge=0, le=1, description="That it applies; several may.")
    share: float = Field(ge=0, le=1, description="Of the mass that walks down the law.")
    path: list[str] = Field(description="Law node ids, from the code down.")
    applies: bool
    rationale: list[Part]


class Share(Answer):
    """How much of the mass arrives at a place of the law."""

    place: str
    share: float


class Note(Answer):
    """Remark on a judgment."""

    code: NoteCode = Field(description="Reason for the remark; stable, for programs.")
    text: str = Field(description="The same as an English sentence.")


class Judgment(Answer):
    """Charges that the facts lead to, most probable first, and a note if there is a reservation."""

    charges: list[Charge]
    articles: list[str] = Field(description="Numbers of the articles of the charges that apply.")
    rationale: Rationale
    note: Note | None
    walk: list[Share] = Field(description="Places that a hundredth or more reaches, in law order.")


class LawNodeBrief(LawStep):
    """A place of the law."""

    number: str
    title: str | None
    cases: int = Field(ge=0, description="Documents at or below it.")
    children: int = Field(ge=0, description="Places directly below it.")


class LawRoot(Answer):
    """The codes themselves."""

    roots: list[LawNodeBrief]
    cases: int = Field(description="Documents of the index.")
    unplaced: int = Field(description="Documents without a place in the law.")


class LawPlace(LawNodeBrief):
    """A place of the law with what is above, below and at it."""

    text: str | None = Field(description="Null where the index has none.")
    path: list[LawNodeBrief] = Field(description="From the code down to the place itself.")
    below: list[LawNodeBrief] = Field(description="The places directly below, in law order.")
    documents: list[CaseBrief] = Field(description="Documents at or below it, in order of their ids.")
    offset: int
    next_offset: int | None


class Place(Answer):
    """A part of one side of a comparison."""

    section: str = Field(description="Section of the case; `text` of a query.")
    start: int
    end: int
    text: str


class Match(Answer):
    """Two sentences that say something alike."""

    left: Place
    right: Place
    score: float = Field(ge=0, le=1, description="Cosine of their words, rare ones counting more.")
    words: list[str] = Field(description="What they share.")


class PlacedPart(Part):
    """A part of a rationale, with its section."""

    section: str


class Side(Answer):
    """One side of a comparison."""

    case: CaseBrief | None = Field(description="Null where a text is compared.")
    charges: list[str] | None = Field(description="Decided; of a text, judged to apply. Null where nobody can say.")
    judged: bool = Field(description="Whether charges and articles are the model's opinion, not a court's.")
    note: Note | None = Field(description="Why the model does not judge the text, or names no charge.")
    rationale: list[PlacedPart]


class Overlap(Answer):
    """What both have and what only one has; null where one side is not known."""

    shared: list[str] | None
    left_only: list[str] | None
    right_only: list[str] | None


class Pair(Answer):
    """One value a side; null where the index does not know it, or a text has none."""

    left: str | None
    right: str | None
    same: bool | None


class Comparison(Answer):
    """Two cases side by side: what matters in each, what is alike, what differs."""

    left: Side
    right: Side
    matches: list[Match]
    charges: Overlap
    articles: Overlap
    penalty: Pair = Field(description="Kinds of the heaviest sentences.")
    words: Overlap


class Facet(Answer):
    """A value to filter by, and how many documents have it."""

    value: str
    cases: int


class IndexAnswer(Answer):
    """What is searched here, and within which limits."""

    collection: str
    language: str
    ranker: str
    documents: int
    lexgear: str = Field(description="Version that wrote the index.")
    sha256: str = Field(description="Of manifest.json, which vouches for every part.")
    judges: bool = Field(description="Whether the index can judge.")
    facets: dict[str, list[Facet]] = Field(
        description="By filter: `charge`, `article`, `level`, `region`, `penalty`, `date` (years)."
    )
    limits: dict[str, float] = Field(
        description="By name: of bodies, texts, hits, the queue, and the deadline in seconds."
    )


class Health(Answer):
    """Whether the service works."""

    status: Literal["ok"]
    version: str
