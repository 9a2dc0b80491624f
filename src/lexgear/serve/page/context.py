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
from lexgear.serve.page.formatting import Phrasing
from lexgear.serve.page.masking import Maskers
from lexgear.serve.page.visitor import Visitor, visitor_of
from lexgear.serve.service import Service, service_of
from lexgear.wording.translations import LANGUAGES, texts

_HALVES = re.compile("[\ud800-\udfff]")
_TAGS = {"zh": "zh-CN"}
"""Languages as HTML names them, where they differ."""


class Desk:
    """Where one request to the page is worked on."""

    def __init__(self, request: Request, service: Service, visitor: Visitor) -> None:
        self.request, self.service, self.visitor = request, service, visitor
        self.library = service.library
        self.t = texts("page", visitor.language)
        self.say = Phrasing(self.t, Phrases(texts("report", visitor.language)))
        self.maskers = Maskers.of(service.library, masked=not visitor.unmasked)

    def place(self, node_id: str) -> str:
        """A place of the law as people write it."""
        law = self.library.index.law
        return self.say.place(law[node_id]) if node_id in law else node_id

    def node(self, node_id: str) -> LawNode:
        """A place of the law."""
        return self.library.node(node_id)

    async def answer(self, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        """A template filled in; away from the event loop, since a page of long judgments takes a while."""
        return await run_in_threadpool(self.page, template, status, **values)

    def page(self, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        """A template filled in."""
        written = environment().get_template(template).render(self._known() | values)
        response = HTMLResponse(_HALVES.sub("\N{REPLACEMENT CHARACTER}", written), status)
        self.visitor.remember(response)
        return response

    def _known(self) -> dict[str, Any]:
        """What every template may use."""
        manifest = self.library.index.stored.manifest
        language = self.visitor.language
        return {
            "t": self.t,
            "say": self.say,
            "place": self.place,
            "visitor": self.visitor,
            "language": language,
            "tag": _TAGS.get(language, language),
            "languages": [(one, _TAGS.get(one, one), self.t(f"language.{one}")) for one in LANGUAGES],
            "collection": manifest.collection,
            "own_tag": _TAGS.get(manifest.language, manifest.language),
            "has_cases": self.has_cases,
            "may_unmask": self.service.settings.unmask,
            "address": self.request.url.path,
            "desk": self,
            "repost": "",
            "is_part": False,
            "fill_in": False,
            "oob": False,
        }

    @property
    def examples(self) -> tuple[str, ...]:
        """Texts to try."""
        return examples(self.library.index.stored.manifest.collection, self.library.language)

    @property
    def documents(self) -> int:
        """How many are served."""
        return self.library.index.stored.manifest.documents

    @property
    def ranker(self) -> str:
        """Who ranks."""
        return self.library.index.stored.manifest.ranker

    @property
    def charges(self) -> int:
        """How many charges the cases were decided under."""
        return len(self.library.placement.facets["charge"])

    @property
    def years(self) -> tuple[str, str] | None:
        """The first and the last; none where no case has a date."""
        known = list(self.library.placement.facets["date"])
        return (known[0], known[-1]) if known else None

    @property
    def own_language(self) -> str:
        """What the documents are written in, as it names itself."""
        name = f"language.{self.library.language}"
        return self.t(name) if name in self.t else self.library.language

    @property
    def most_characters(self) -> int:
        """Of a text."""
        return self.service.settings.text_characters

    @property
    def has_cases(self) -> bool:
        """Whether judgments are served, rather than statutory articles."""
        return bool(self.library.placement.facets["charge"] or self.library.placement.facets["level"])


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


def desk_of(request: Request) -> Desk:
    """The desk for a request."""
    service = service_of(request)
    visitor = visitor_of(request, service.library.language, may_unmask=service.settings.unmask)
    return Desk(request, service, visitor)


AtDesk = Annotated[Desk, Depends(desk_of)]
