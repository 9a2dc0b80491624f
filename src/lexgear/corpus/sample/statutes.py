"""The built-in French sample: an invented code and citizens' questions about it."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from lexgear.corpus.records import Collection, Document, Query
from lexgear.errors import ErrorCode, InputError
from lexgear.law.tree import LawNode, LawTree, TreeBuilder

PARTS = {"books": "book", "titles": "title", "chapters": "chapter"}
"""Field of `code.json` that holds the parts of a node → kind of these parts in the law tree."""

SOURCE = {
    "name": "Code de la vie courante de la République d'Aubrelac",
    "licence": "Apache-2.0",
    "notes": "invented: place, code and questions were written for lexgear; no law of any country",
}


def sample_statutes() -> Collection:
    """Return the French sample: an invented code of 89 articles, with 60 training and 40 test questions.

    >>> sample_statutes().documents[0].title
    'Attribution du nom'
    """
    law = _law()
    questions = _questions()
    return Collection(
        name="sample-fr",
        language="fr",
        documents=tuple(_document(node) for node in law.of_kind("article")),
        queries=tuple(Query(row["id"], row["text"], split=row["split"]) for row in questions.values()),
        qrels={query: dict.fromkeys(row["articles"], 1) for query, row in questions.items()},
        law=law,
        relevant_from=1,
        source=SOURCE,
    )


def question_gloss(query_id: str) -> str:
    """Return a short English summary of a question of the sample.

    >>> question_gloss("q001")
    "Parents cannot agree on their baby's surname"
    """
    try:
        return str(_questions()[query_id]["gloss"])
    except KeyError:
        raise InputError(
            f"the French sample has no question {query_id!r}",
            code=ErrorCode.UNKNOWN_DOCUMENT,
            remedy="questions are q001 to q100",
            id=query_id,
        ) from None


def _document(node: LawNode) -> Document:
    return Document(f"a{int(node.number):03}", {"text": node.text}, title=node.title, node=node.id)


def _law() -> LawTree:
    code = _read("code.json")
    builder = TreeBuilder()
    _add_parts(builder, builder.add(None, "law", code["number"], code["title"]), code)
    return builder.tree()


def _add_parts(builder: TreeBuilder, node: str, row: dict[str, Any]) -> None:
    for article in row.get("articles", ()):
        builder.add(node, "article", article["number"], article["title"], article["text"])
    for key, kind in PARTS.items():
        for part in row.get(key, ()):
            _add_parts(builder, builder.add(node, kind, part["number"], part["title"]), part)


@cache
def _questions() -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in _read("questions.json")}


def _read(name: str) -> Any:
    return json.loads((files(__package__) / "fr" / name).read_text(encoding="utf-8"))
