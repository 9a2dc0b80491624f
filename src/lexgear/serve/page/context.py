"""Context of a request to the page: preferences, translations and templates."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, TypeVar
from urllib.parse import quote

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from lexgear.law.tree import LawNode
from lexgear.report.phrases import Phrases
from lexgear.serve.api.models import CaseBrief
from lexgear.serve.page.assets import asset_url
from lexgear.serve.page.dates import DATE_PATTERN, DAY_PATTERN
from lexgear.serve.page.examples import examples
from lexgear.serve.page.formatting import Formatter
from lexgear.serve.page.preferences import Preferences, read_preferences
from lexgear.serve.privacy.masked_route import RenderedAnswer
from lexgear.serve.service import Service, service_of
from lexgear.wording.translations import LANGUAGES, texts

M = TypeVar("M", bound=BaseModel)
_SURROGATES = re.compile("[\ud800-\udfff]")
_LANGUAGE_TAGS = {"zh": "zh-CN"}
"""HTML language tags that differ from our language codes."""


class PageContext:
    """Objects that the endpoints and templates of the page share for one request."""

    def __init__(self, request: Request, service: Service, preferences: Preferences) -> None:
        self.request, self.service, self.preferences = request, service, preferences
        self.served_index = service.served_index
        self.t = texts("page", preferences.language)
        self.reading = texts("reading", preferences.language)
        self.format = Formatter(self.t, Phrases(texts("report", preferences.language)))

    def place(self, node_id: str) -> str:
        """Return the name of a place of the law, or its id if the law does not have it."""
        law = self.served_index.index.law
        return self.format.place(law[node_id]) if node_id in law else node_id

    def heading(self, document: CaseBrief) -> str:
        """Return the heading of a document; that of an article names its code."""
        law = self.served_index.index.law
        if document.node and document.node in law:
            path = law.path(law[document.node])
            article = self.format.place(path[-1])
            article = f"{article[0].lower()}{article[1:]}"  # after a comma: Code civil, art. 1382
            return self.t("article_of", law=path[0].title or path[0].number, article=article)
        return document.title or document.id

    def node(self, node_id: str) -> LawNode:
        """Return a place of the law."""
        return self.served_index.node(node_id)

    async def render(self, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        """Render a template in a thread."""
        return await run_in_threadpool(self.page, template, status, **values)

    def page(self, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        """Render a template."""
        html = environment().get_template(template).render(self._defaults() | values)
        response = HTMLResponse(_SURROGATES.sub("\N{REPLACEMENT CHARACTER}", html), status)
        self.preferences.set_cookies(response)
        return response

    def _defaults(self) -> dict[str, Any]:
        """Return the variables that every template may use."""
        manifest = self.served_index.index.stored.manifest
        language = self.preferences.language
        return {
            "t": self.t,
            "r": self.reading,
            "format": self.format,
            "place": self.place,
            "preferences": self.preferences,
            "language": language,
            "tag": _LANGUAGE_TAGS.get(language, language),
            "languages": [(one, _LANGUAGE_TAGS.get(one, one), self.t(f"language.{one}")) for one in LANGUAGES],
            "collection": manifest.collection,
            "version": self.served_index.version,
            "own_tag": _LANGUAGE_TAGS.get(manifest.language, manifest.language),
            "has_cases": self.has_cases,
            "may_unmask": self.service.settings.unmask,
            "address": self.request.url.path,
            "context": self,
            "repost": "",
            "is_part": False,
            "fill_in": False,
            "oob": False,
        }

    @property
    def examples(self) -> tuple[str, ...]:
        """Example texts."""
        return examples(self.served_index.index.stored.manifest.collection, self.served_index.language)

    @property
    def documents(self) -> int:
        """Number of documents in the index."""
        return self.served_index.index.stored.manifest.documents

    @property
    def ranker(self) -> str:
        """Name of the ranker."""
        return self.served_index.index.stored.manifest.ranker

    @property
    def charges(self) -> int:
        """Number of charges that occur in the collection."""
        return len(self.served_index.placement.facets["charge"])

    @property
    def years(self) -> tuple[str, str] | None:
        """First and last year of decision; None if no case has a date."""
        years = list(self.served_index.placement.facets["date"])
        return (years[0], years[-1]) if years else None

    @property
    def own_language(self) -> str:
        """Name of the language of the documents."""
        name = f"language.{self.served_index.language}"
        return self.t(name) if name in self.t else self.served_index.language

    @property
    def max_characters(self) -> int:
        """Maximum length of a text."""
        return self.service.settings.text_characters

    @property
    def has_cases(self) -> bool:
        """True if the collection holds judgments rather than statutory articles."""
        return bool(self.served_index.placement.facets["charge"] or self.served_index.placement.facets["level"])


@dataclass(frozen=True)
class HtmlPage(RenderedAnswer[M]):
    """Page that is rendered once the names in its model are masked; `view` makes template variables of the model."""

    context: PageContext
    template: str
    model: M
    view: Callable[[M], Mapping[str, Any]]

    def render(self, model: M) -> HTMLResponse:
        """Render the template for the masked model."""
        return self.context.page(self.template, **self.view(model))


@cache
def environment() -> Environment:
    """Return the template environment: everything is escaped, and undefined names are errors."""
    made = Environment(
        loader=PackageLoader("lexgear.serve.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {"static": asset_url, "day_pattern": DAY_PATTERN, "date_pattern": DATE_PATTERN}
    made.filters["in_path"] = in_path
    return made


def in_path(name: str) -> str:
    """Quote an id for the rest of a path; slashes stay.

    >>> in_path("cn-criminal/2/5/264/盗窃罪?#")
    'cn-criminal/2/5/264/%E7%9B%97%E7%AA%83%E7%BD%AA%3F%23'
    """
    return quote(name, safe="/", errors="replace")


def page_context(request: Request) -> PageContext:
    """Return the context of a request."""
    service = service_of(request)
    preferences = read_preferences(request, service.served_index.language, may_unmask=service.settings.unmask)
    return PageContext(request, service, preferences)


CurrentContext = Annotated[PageContext, Depends(page_context)]
