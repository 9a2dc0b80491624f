"""Request models of the API. Unknown fields and wrong types are rejected."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, FailFast, Field, field_validator, model_validator

from lexgear.corpus.field_values import is_date
from lexgear.index.facets import REACH
from lexgear.index.sorting import Sort
from lexgear.report.model import Language, Line, Words
from lexgear.serve.privacy.personal_data import PersonalData

FACTS = "被告人深夜翻墙进入一家商店，撬开收银柜拿走现金五千余元，次日被抓获，如实供述。"
TEXT = Field(min_length=1, description="Facts of an undecided case, or a question.", examples=[FACTS])
Text = Annotated[str, TEXT, PersonalData.QUERY_TEXT]


def _valid_day(day: str | None) -> str | None:
    if day is not None and not is_date(day):
        raise ValueError("not a date of the form YYYY-MM-DD")
    return day


Day = Annotated[str | None, AfterValidator(_valid_day)]
T = TypeVar("T")
Several = Annotated[list[T], FailFast()]
"""List of which only the first wrong value is reported: 300,000 of them took seconds in which nothing was answered."""
MAX_FIELDS = 100
"""Maximum number of fields of an object; every unknown one is an error of its own."""


class RequestModel(BaseModel):
    """Base class of request bodies."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _few_fields(cls, given: Any) -> Any:
        if isinstance(given, dict) and len(given) > MAX_FIELDS:
            raise ValueError(f"more than {MAX_FIELDS} fields")
        return given


class SearchRequest(RequestModel):
    """Search for precedents or statutory articles."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"text": FACTS, "k": 5, "filters": ["charge=盗窃罪", "date>=2015"]}]}
    )
    text: Text
    k: int = Field(10, ge=1, description="Number of hits.")
    offset: int = Field(0, ge=0, description="Number of hits to skip: the second page of ten begins at 10.")
    filters: Several[str] = Field(
        default_factory=list,
        description="All filters must hold. A filter is `charge`, `article`, `factor`, `court`, `court_above` (this "
        "court and those above it), `level`, `region`, `date`, `penalty`, `months`, `band` (such as `12-24` for more "
        "than 12 and at most 24 months), `authority` or `text`, then `=` or `!=` (`date` and `months` also `<`, `<=`, "
        "`>`, `>=`), then a value, or several of which any may hold: `charge=盗窃罪|抢劫罪`.",
        examples=[["level=basic|intermediate", "months<36"]],
    )
    keywords: str = Field(
        "",
        max_length=500,
        description="Words and “phrases” that a document must contain; after a minus sign, must not.",
        examples=['自首 "如实供述" -累犯'],
    )
    sort: Sort = Field(
        Sort.RELEVANCE,
        strict=False,
        description=f"`date` (latest first) and `level` (authority, then court level) reorder the best {REACH} hits.",
    )
    include_facets: bool = Field(False, description=f"Count the facets of the best {REACH} hits.")
    node: str | None = Field(
        None, description="Search only documents at or below this place of the law.", examples=["cn-criminal/2/5"]
    )
    date: Day = Field(
        default=None,
        description="Date `YYYY-MM-DD`: statutory articles that were not in force then are left out before ranking.",
        examples=["2019-03-05"],
    )
    include_text: bool = Field(False, description="Return the `sections` and `defendants` of the hits.")


class BatchRequest(RequestModel):
    """Several searches in one request."""

    searches: Several[SearchRequest] = Field(min_length=1)


class TextRequest(RequestModel):
    """One text."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": FACTS}]})
    text: Text


class JudgeRequest(TextRequest):
    """Facts of a case to judge."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": FACTS, "date": "2019-03-05"}]})
    date: Day = Field(
        default=None,
        description="Date of the act, `YYYY-MM-DD`; if it is null, it is read from the text.",
        examples=["2019-03-05"],
    )


class CompareRequest(RequestModel):
    """Comparison of a text, or of a case, with a case."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": FACTS, "with": "c0001"}]}, populate_by_name=True)
    text: Annotated[Annotated[str, TEXT] | None, PersonalData.QUERY_TEXT] = None
    case: str | None = Field(None, description="Id of a case to compare instead of a text.")
    with_: str = Field(alias="with", description="Id of the case to compare it with.", examples=["c0001"])


class ReportCase(RequestModel):
    """Case to be quoted in a report."""

    id: str = Field(min_length=1, max_length=500)
    use: Literal["followed", "referred", "distinguished"] | None = Field(
        None, description="How the case is used; null if that is not decided yet."
    )
    remark: Words = Field("", description="Reason for this use.")


class ReportRequest(RequestModel):
    """Similar-case report on a search."""

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
    k: int = Field(10, ge=1, le=1000, description="Number of results to list.")
    filters: Several[Line] = Field(default_factory=list, max_length=50, description="As in a search.")
    node: Line | None = Field(None, description="Search only documents at or below this place of the law.")
    cases: Several[ReportCase] = Field(
        default_factory=list, max_length=100, description="In your order, each case once."
    )
    by: Line = Field("", description="Name of the person who searches.")
    organisation: Line = Field("", description="Court, law firm or office of that person.")
    title: Line = Field("", description="Name of the pending case.")
    number: Line = Field("", description="Case number of the pending case.")
    court: Line = Field("", description="Court of the pending case; most authority tiers depend on it.")
    disputes: Several[Words] = Field(default_factory=list, max_length=50, description="Disputed points.")
    language: Language | None = Field(None, description="Language of the report; null: that of the index.")
    format: Literal["docx", "html", "md", "json", "csv"] = Field("docx", description="`csv`: list of results only.")
    masked: bool = Field(
        True, description="Mask the names of private persons; false is rejected if the service does not show names."
    )

    @field_validator("cases")
    @classmethod
    def _unique(cls, cases: list[ReportCase]) -> list[ReportCase]:
        if len({case.id for case in cases}) < len(cases):
            raise ValueError("a case is listed twice")
        return cases
