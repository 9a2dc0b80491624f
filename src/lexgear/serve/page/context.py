"""What an address of the page works with: who asks, what is served, and how it becomes HTML."""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool

from lexgear.law.tree import LawNode
from lexgear.report.phrases import Phrases
from lexgear.serve.page.assets import address_of
from lexgear.serve.page.examples import examples
from lexgear.serve.page.formatting import Formatter
from lexgear.serve.page.masking import Maskers
from lexgear.serve.page.preferences import Preferences, read_preferences
from lexgear.serve.service import Service, service_of
from lexgear.wording.translations import LANGUAGES, texts

_HALVES = re.compile("[\ud800-\udfff]")
_TAGS = {"zh": "zh-CN"}
"""Languages as HTML names them, where they differ."""


class PageContext:
    """Where one request to the page is worked on."""

    def __init__(self, request: Request, service: Service, preferences: Preferences) -> None:
        self.request, self.service, self.preferences = request, service, preferences
        self.served_index = service.served_index
        self.t = texts("page", preferences.language)
        self.format = Formatter(self.t, Phrases(texts("report", preferences.language)))
        self.maskers = Maskers.of(service.served_index, masked=not preferences.unmasked)

    def place(self, node_id: str) -> str:
        """A place of the law as people write it."""
        law = self.served_index.index.law
        return self.format.place(law[node_id]) if node_id in law else node_id

    def node(self, node_id: str) -> LawNode:
        """A place of the law."""
        return self.served_index.node(node_id)

    async def answer(self, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        """A template filled in; away from the event loop, since a page of long judgments takes a while."""
        return await run_in_threadpool(self.page, template, status, **values)

    def page(self, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        """A template filled in."""
        written = environment().get_template(template).render(self._known() | values)
        response = HTMLResponse(_HALVES.sub("\N{REPLACEMENT CHARACTER}", written), status)
        self.preferences.remember(response)
        return response

    def _known(self) -> dict[str, Any]:
        """What every template may use."""
        manifest = self.served_index.index.stored.manifest
        language = self.preferences.language
        return {
            "t": self.t,
            "format": self.format,
            "place": self.place,
            "preferences": self.preferences,
            "language": language,
            "tag": _TAGS.get(language, language),
            "languages": [(one, _TAGS.get(one, one), self.t(f"language.{one}")) for one in LANGUAGES],
            "collection": manifest.collection,
            "own_tag": _TAGS.get(manifest.language, manifest.language),
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
        """Texts to try."""
        return examples(self.served_index.index.stored.manifest.collection, self.served_index.language)

    @property
    def documents(self) -> int:
        """How many are served."""
        return self.served_index.index.stored.manifest.documents

    @property
    def ranker(self) -> str:
        """Who ranks."""
        return self.served_index.index.stored.manifest.ranker

    @property
    def charges(self) -> int:
        """How many charges the cases were decided under."""
        return len(self.served_index.placement.facets["charge"])

    @property
    def years(self) -> tuple[str, str] | None:
        """The first and the last; none where no case has a date."""
        known = list(self.served_index.placement.facets["date"])
        return (known[0], known[-1]) if known else None

    @property
    def own_language(self) -> str:
        """What the documents are written in, as it names itself."""
        name = f"language.{self.served_index.language}"
        return self.t(name) if name in self.t else self.served_index.language

    @property
    def most_characters(self) -> int:
        """Maximum length of a text."""
        return self.service.settings.text_characters

    @property
    def has_cases(self) -> bool:
        """Whether judgments are served, rather than statutory articles."""
        return bool(self.served_index.placement.facets["charge"] or self.served_index.placement.facets["level"])


@cache
def environment() -> Environment:
    """The templates: everything is escaped, and a name that is not there is an error."""
    made = Environment(
        loader=PackageLoader("lexgear.serve.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["static"] = address_of
    made.filters["in_path"] = in_path
    return made


def in_path(name: str) -> str:
    """An id as the rest of a path; its slashes stay.

    >>> in_path("cn-criminal/2/5/264/盗窃罪?#")
    'cn-criminal/2/5/264/%E7%9B%97%E7%AA%83%E7%BD%AA%3F%23'
    """
    return quote(name, safe="/", errors="replace")


def page_context(request: Request) -> PageContext:
    """The context for a request."""
    service = service_of(request)
    preferences = read_preferences(request, service.served_index.language, may_unmask=service.settings.unmask)
    return PageContext(request, service, preferences)


CurrentContext = Annotated[PageContext, Depends(page_context)]
