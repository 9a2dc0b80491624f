"""Response models of the API. Field names are stable; a field without a value is null.

Offsets count Unicode characters (code points) from 0; `end` is exclusive. Fields with personal data carry a marker of
`personal_data`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from lexgear.corpus.extraction.factors.comparison import FactorComparison
from lexgear.corpus.records import Citation, Count, Penalty
from lexgear.judgment.grades import Grade
from lexgear.judgment.law_in_force import RemarkCode
from lexgear.judgment.notes import NoteCode
from lexgear.judgment.thresholds import ThresholdCode
from lexgear.serve.comparing.contrasts import Contrast
from lexgear.serve.privacy.personal_data import PersonalData

NODE = "cn-criminal/2/5/264/盗窃罪"
Probability = Annotated[float, Field(ge=0, le=1)]
Sections = dict[str, str]


class ResponseModel(BaseModel):
    """Base class of answers."""

    model_config = ConfigDict(frozen=True)


class Part(ResponseModel):
    """Word or sentence of a text that is relevant to a charge."""

    kind: Literal["word1", "word2", "sentence", "expression"] = Field(
        description="`word1`: word of a charge's name, `word2`: word of its definition, `expression`: from "
        "the charge book."
    )
    text: Annotated[str, PersonalData.QUERY_TEXT]
    start: int
    end: int
    score: float
    charge: str = Field(description="The charge it supports; empty if unknown.")


class Rationale(ResponseModel):
    """Words and sentences that the rationale extractor (f_R) selects from a text."""

    words: list[Part]
    sentences: list[Part]


class Defendant(ResponseModel):
    """Defendant, with the charges they were convicted of and their sentence."""

    name: Annotated[str, PersonalData.NAME]
    charges: list[str]
    penalty: Penalty | None
    counts: list[Count] = Field(
        description="The penalty for each charge alone, if `penalty` combines several; null: not known."
    )


class LawStep(ResponseModel):
    """Place of the law: id, kind and display name."""

    id: str = Field(examples=[NODE])
    kind: str = Field(examples=["charge"])
    name: str = Field(examples=["盗窃罪"])


class CaseBrief(ResponseModel):
    """Judgment or statutory article without its text. Null: not known to the index."""

    id: Annotated[str, PersonalData.CASE_ID]
    title: Annotated[str | None, PersonalData.TEXT] = Field(
        description="Title of the source; if it has none, defendant, charges and case number."
    )
    charges: list[str]
    articles: list[Citation]
    penalty: Penalty | None = Field(description="The heaviest of the final sentences.")
    penalties_by_charge: list[Count] = Field(
        description="The heaviest penalty for each charge alone; null: none is known, or only a combined one."
    )
    court: str | None
    level: str | None
    region: str | None
    date: str | None = Field(description="`YYYY-MM-DD`.")
    number: str | None = Field(description="Case number.")
    authority: str | None = Field(
        description="`guiding`, `gazette`, `reference` or `typical`, as recorded or as the title tells."
    )
    node: str | None = Field(description="Place in the law, for a statutory article.")
    in_force_from: str | None = Field(None, description="First day in force of a statutory article, `YYYY-MM-DD`.")
    in_force_until: str | None = Field(None, description="Last day in force; null: still in force, or not known.")
    paths: list[list[LawStep]] = Field(description="From the code down to each of its charges, or to the article.")


class Case(CaseBrief):
    """Judgment or statutory article with its text."""

    sections: Annotated[Sections, PersonalData.TEXT] = Field(
        description="By name: `fact`, `reasoning`, `verdict`; `text` if the source has no sections."
    )
    defendants: list[Defendant]


class WalkStep(ResponseModel):
    """Step of a path down the law, with its probability."""

    place: str
    probability: Probability


class SharedWord(ResponseModel):
    """Word that the query and the document have in common."""

    word: str
    weight: float


class MatchedTerm(ResponseModel):
    """Legal term in the document for an everyday expression of the query."""

    expression: str
    term: str = Field(description="The words of the term that the document has; the whole term if it has all of them.")
    weight: float


class Explanation(ResponseModel):
    """Reasons for a hit. `charge`, `content`, `words`, `past_questions` and `legal_terms` add up to the score."""

    charge: float
    content: float
    words: float
    past_questions: float
    legal_terms: float
    paths: list[list[WalkStep]]
    shared: Annotated[list[SharedWord], PersonalData.WORDS]
    terms: list[MatchedTerm]
    rationale: list[Part] = Field(description="Parts of the query that support the charges of the document.")


class Hit(CaseBrief):
    """Document found by a search."""

    rank: int = Field(ge=1)
    score: float
    explanation: Explanation | None = Field(description="Null if the ranker does not explain its scores.")
    factors: FactorComparison | None = Field(
        None,
        description="Legal factors of the query (left) and the document (right); null if the index is not in Chinese.",
    )
    sections: Annotated[Sections | None, PersonalData.TEXT] = Field(description="Null unless `include_text` was set.")
    defendants: list[Defendant] | None = Field(description="Null unless `include_text` was set.")


class Facet(ResponseModel):
    """Value of a filter, with the number of documents that have it."""

    value: str
    cases: int


class SearchAnswer(ResponseModel):
    """Hits of a search, best first."""

    hits: list[Hit]
    offset: int
    next_offset: int | None = Field(description="Offset of the next page; null if there is none.")
    facets: dict[str, list[Facet]] | None = Field(
        None,
        description="Values of the best hits by filter (`authority`, `charge`, `article`, `factor`, `level`, `region`, "
        "`date`, `band`). A facet with a filter set counts the hits without this filter. Null unless asked for.",
    )


class BatchAnswer(ResponseModel):
    """Answers to several searches, in the order of the request."""

    answers: list[SearchAnswer]


class Remark(ResponseModel):
    """Change of a charge between the act and today."""

    code: RemarkCode = Field(description="Reason for the remark, for programs.")
    text: str = Field(description="The same in English.")
    parameters: dict[str, str] = Field(description="Values that a translation of `code` needs: `date` and `act`.")


class ThresholdRemark(ResponseModel):
    """Threshold that a number in the facts does not safely reach."""

    code: ThresholdCode = Field(
        description="`not_reached`: below a verified threshold, so that the charge is unlikely; `below_usual`: below "
        "one that is unverified or that circumstances may lower; `regional`: the provinces choose."
    )
    text: str = Field(description="The same in English.")
    stated: str = Field(description="Number that the facts state, with its unit.", examples=["4.3 克"])
    start: int = Field(description="Place of the number in the text.")
    end: int
    threshold: str = Field(description="Threshold with its unit.", examples=["10 克"])
    means: str = Field(description="Meaning of the threshold, in Chinese.")
    source: str = Field(description="Article or judicial interpretation that sets it.")
    verified: bool = Field(description="False if the number was not read in its source.")
    unless: list[str] = Field(description="Circumstances that make the number unnecessary, in Chinese.")


class ActDate(ResponseModel):
    """Date of the act."""

    date: str = Field(description="`YYYY-MM-DD`, `YYYY-MM` or `YYYY`.", examples=["2019-03-05"])
    start: int | None = Field(description="Place in the text; null if the date was given.")
    end: int | None


class Charge(ResponseModel):
    """Predicted charge."""

    name: str
    probability: Probability = Field(description="Probability that the charge applies; several may.")
    grade: Grade | None = Field(
        description="Word for the probability, by fixed bands: from .9, .5, .1 and 0. Null if the charge was not in "
        "force on the date of the act."
    )
    share: Probability = Field(description="Share of the probability mass of the law tree.")
    path: list[str] = Field(description="Law node ids, from the code down.")
    applies: bool
    rationale: list[Part] = Field(description="Sentences that support the charge; empty if it is unlikely.")
    expressions: list[Part] = Field(
        description="Expressions of the charge book that the facts use; empty if the charge is unlikely."
    )
    name_then: str | None = Field(None, description="Name on the date of the act, if it was another one.")
    name_now: str | None = Field(None, description="Name today, if the charge has been renamed or merged since.")
    remark: Remark | None = Field(None, description="Whether the charge was in force then, or changed since.")
    threshold: ThresholdRemark | None = Field(None, description="Threshold that the facts do not safely reach.")


class Dispute(ResponseModel):
    """Two possible charges that are easily confused."""

    charges: list[str] = Field(description="The more probable one first.")
    text: str = Field(description="What distinguishes them, in English.")
    texts: dict[str, str] = Field(description="The same by language: `zh`, `en`, `fr`.")
    reasons: dict[str, list[Part]] = Field(
        description="By charge: words of the facts that speak for it and not for the other one."
    )


class Share(ResponseModel):
    """Share of the probability mass that reaches a place of the law."""

    place: str
    share: float


class Note(ResponseModel):
    """Remark on a judgment."""

    code: NoteCode = Field(description="Reason for the remark, for programs.")
    text: str = Field(description="The same as an English sentence.")
    matter: str = Field("", description="Kind of matter of a text that is no criminal matter, such as `debt`.")


class Judgment(ResponseModel):
    """Predicted charges, most probable first, and a note if there is a reservation."""

    charges: list[Charge]
    articles: list[str] = Field(description="Numbers of the articles of the charges that apply.")
    rationale: Rationale
    note: Note | None
    walk: list[Share] = Field(description="Places that at least 1% of the probability mass reaches, in law order.")
    act_date: ActDate | None = Field(None, description="Date of the act, as given or as read from the text.")
    disputes: list[Dispute] = Field(
        default_factory=list, description="Possible charges that are easily confused, and what speaks for either."
    )


class LawNodeBrief(LawStep):
    """Place of the law with its counts."""

    number: str
    title: str | None
    cases: int = Field(ge=0, description="Number of documents at or below it.")
    children: int = Field(ge=0, description="Number of places directly below it.")


class LawRoot(ResponseModel):
    """Top level of the law: the codes."""

    roots: list[LawNodeBrief]
    cases: int = Field(description="Number of documents in the index.")
    unplaced: int = Field(description="Number of documents without a place in the law.")


class LawPlace(LawNodeBrief):
    """Place of the law with its path, the places below it and its documents."""

    text: str | None = Field(description="Null if the index does not have it.")
    path: list[LawNodeBrief] = Field(description="From the code down to the place itself.")
    below: list[LawNodeBrief] = Field(description="The places directly below, in law order.")
    documents: list[CaseBrief] = Field(description="Documents at or below it, ordered by id.")
    offset: int
    next_offset: int | None


class Place(ResponseModel):
    """Span of one side of a comparison."""

    section: str = Field(description="Section of the case; `text` for a query.")
    start: int
    end: int
    text: Annotated[str, PersonalData.TEXT]


class Match(ResponseModel):
    """Pair of similar sentences."""

    left: Place
    right: Place
    score: Probability = Field(description="Cosine similarity of their words, weighted by rarity.")
    words: Annotated[list[str], PersonalData.WORDS] = Field(description="Words in both.")


class ContrastingMatch(Match):
    """Pair of sentences with common words that say something else."""

    differs: Contrast = Field(
        description="`negation`: one denies what the other says; `amount`: amounts far apart; `role`: another person "
        "acts, or another role in the offence; `injury`: another degree."
    )


class PlacedPart(Part):
    """Part of a rationale, with its section."""

    section: str


class Side(ResponseModel):
    """One side of a comparison."""

    case: CaseBrief | None = Field(description="Null if this side is a text.")
    charges: list[str] | None = Field(description="Charges of the case, or predicted for the text; null if unknown.")
    judged: bool = Field(description="True if charges and articles are predicted rather than decided by a court.")
    note: Note | None = Field(description="Why the model does not judge the text, or names no charge.")
    rationale: list[PlacedPart]


class Overlap(ResponseModel):
    """Values on both sides and on one side only; null if one side is unknown."""

    shared: Annotated[list[str] | None, PersonalData.WORDS]
    left_only: Annotated[list[str] | None, PersonalData.WORDS]
    right_only: Annotated[list[str] | None, PersonalData.WORDS]


class Pair(ResponseModel):
    """One value per side; null if unknown."""

    left: str | None
    right: str | None
    same: bool | None


class Comparison(ResponseModel):
    """Two cases side by side: rationale of each, similar sentences, common and different features."""

    left: Side
    right: Side
    matches: list[Match]
    contrasts: list[ContrastingMatch] = Field(description="Sentences with common words that contradict each other.")
    charges: Overlap
    articles: Overlap
    penalty: Pair = Field(description="Kinds of the heaviest sentences.")
    factors: FactorComparison | None = Field(description="Legal factors; null if the index is not in Chinese.")
    words: Overlap


class IndexAnswer(ResponseModel):
    """The index that is served, and the limits of the service."""

    collection: str
    language: str
    ranker: str
    documents: int
    lexgear: str = Field(description="Version of lexgear that wrote the index.")
    sha256: str = Field(description="SHA-256 of manifest.json, which holds the checksum of every part.")
    judges: bool = Field(description="True if the index can predict judgments.")
    facets: dict[str, list[Facet]] = Field(
        description="By filter: `charge`, `article`, `level`, `region`, `penalty`, `factor`, `date` (years)."
    )
    limits: dict[str, float] = Field(description="Limits of requests, by name; `deadline` is in seconds.")
