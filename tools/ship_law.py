"""Make the law file that ships with lexgear from a text of the Chinese Criminal Law and a list of its charges.

usage: python tools/ship_law.py CRIMINAL_LAW.txt CRIMES.json [OUT]

The file keeps numbers, titles and names, which are facts, and leaves out the text of the articles.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from lexgear.files import read_json, read_text
from lexgear.law.charges import ChargeNames, charge_data, other_names
from lexgear.law.statutes import read_statute
from lexgear.law.tree import LawTree, TreeBuilder

OUT = Path(__file__).resolve().parents[1] / "src/lexgear/law/data/cn-criminal.json"


def structure(statute: LawTree, official_names: Iterable[str]) -> LawTree:
    """Return part two of the code with every charge under its article, by its official name if it has one."""
    book = ChargeNames(official_names, other_names())
    placed: Mapping[str, Mapping[str, str]] = charge_data()["placed"]
    builder = TreeBuilder()
    for node in statute.subtree(statute["cn-criminal/2"]):
        if node.kind == "part":
            builder.add(None, "law", "cn-criminal", statute["cn-criminal"].title)
        if node.kind == "charge":
            name = book.official(node.number) or node.number
            if f"{node.parent}/{name}" not in builder and _is_home(statute, book, name, str(node.parent)):
                builder.add(node.parent, "charge", name, name)
        else:
            builder.add(node.parent, node.kind, node.number, node.title)
    homes = {node.number: node.id for node in statute.of_kind("article")}
    for name, entry in placed.items():
        builder.add(homes[entry["article"]], "charge", name, name)
    return builder.tree()


def _is_home(statute: LawTree, book: ChargeNames, name: str, article: str) -> bool:
    """Return whether this is the first article with the charge; captions with the official name come first."""
    homes = [node.parent for node in statute.of_kind("charge") if node.number == name]
    homes += [node.parent for node in statute.of_kind("charge") if book.official(node.number) == name]
    return homes[0] == article


def main(law: str, crimes: str, out: str = str(OUT)) -> None:
    """Write the shipped file, one node per line."""
    statute = read_statute(read_text(Path(law)), code="cn-criminal", title="中华人民共和国刑法")
    rows = structure(statute, read_json(Path(crimes))).to_rows()
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    Path(out).write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    print(f"{out}: {len(rows)} nodes, {sum(row['kind'] == 'charge' for row in rows)} charges")


if __name__ == "__main__":
    main(*sys.argv[1:])
