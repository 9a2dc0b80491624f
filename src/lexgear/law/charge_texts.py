"""Definitions of charges from the text of a statute."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lexgear.errors import ErrorCode, InputError
from lexgear.files import read_text
from lexgear.law.charges import charge_data, shipped_charges
from lexgear.law.statutes import read_statute
from lexgear.law.tree import LawNode, LawTree


def with_charge_texts(law: LawTree, statute: Path) -> LawTree:
    """Return the law with the paragraph that defines each charge, from a statute with 【charge】 captions.

    A charge that no caption names, because its name has changed, is defined by the whole article.
    """
    tree = read_statute(read_text(statute), code="statute", title="")
    articles = {node.number: node.text for node in tree.of_kind("article")}
    captioned: dict[str, str] = {}
    for node in tree.of_kind("charge"):
        captioned.setdefault(shipped_charges().official(node.number) or node.number, node.text)
    if not captioned:
        raise InputError(
            "no caption names a charge",
            code=ErrorCode.FILE_MALFORMED,
            file=statute,
            remedy="give a text in which 【…】 before a paragraph names the charges that it defines",
        )
    elsewhere = {name for name, place in charge_data()["placed"].items() if not place.get("in_article", True)}

    def text(node: LawNode) -> str:
        if node.kind != "charge" or node.number in elsewhere:
            return node.text
        return captioned.get(node.number) or articles.get(law[str(node.parent)].number) or node.text

    return LawTree({key: replace(node, text=text(node)) for key, node in law.nodes.items()})
