"""The French half of the built-in sample: an invented code and the questions citizens ask about it."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from lexgear.corpus.records import Collection, Document, Query
from lexgear.errors import InputError
from lexgear.law.tree import LawNode, LawTree, TreeBuilder

PARTS = {"books": "book", "titles": "title", "chapters": "chapter"}
"""Where `code.json` keeps the parts of a node → the kind they have in the law tree."""

SOURCE = {
    "name": "Code de la vie courante de la République d'Aubrelac",
    "licence": "Apache-2.0",
    "notes": "invented: place, code and questions were written for lexgear; no law of any country",
}


def sample_statutes() -> Collection:
    """An invented code of 89 articles with 100 lay questions, 60 to train on and 40 to test.

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
    """What a question of the sample is about, in a few English words.

    >>> question_gloss("q001")
    "Parents cannot agree on their baby's surname"
    """
    try:
        return str(_questions()[query_id]["gloss"])
    except KeyError:
        raise InputError(f"the French sample has no question {query_id!r}", remedy="q001 to q100") from None


def _document(node: LawNode) -> Document:
    return Document(f"a{int(node.number):03}", {"text": node.text}, title=node.title, node=node.id)


def _law() -> LawTree:
    code = _read("code.json")
    builder = TreeBuilder()
    _grow(builder, builder.add(None, "law", code["number"], code["title"]), code)
    return builder.tree()


def _grow(builder: TreeBuilder, node: str, row: dict[str, Any]) -> None:
    for article in row.get("articles", ()):
        builder.add(node, "article", article["number"], article["title"], article["text"])
    for key, kind in PARTS.items():
        for part in row.get(key, ()):
            _grow(builder, builder.add(node, kind, part["number"], part["title"]), part)


@cache
def _questions() -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in _read("questions.json")}


def _read(name: str) -> Any:
    return json.loads((files(__package__) / "fr" / name).read_text(encoding="utf-8"))
