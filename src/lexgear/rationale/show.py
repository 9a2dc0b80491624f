"""Display and export of rationales."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexgear.atomic import atomic_file
from lexgear.corpus.records import Collection
from lexgear.files import dumps
from lexgear.privacy.neutral import Neutraliser, neutralise
from lexgear.progress import Progress, silent
from lexgear.rationale.extract import Extractor
from lexgear.rationale.lexicon import Lexicon
from lexgear.rationale.records import Rationale, rationale_rows

if TYPE_CHECKING:
    from rich.text import Text

_STYLES = {"sentence": "bold", "word2": "underline cyan", "word1": "underline red"}
# Terminals interpret control characters, and rich drops some of them; a space keeps the positions.
_CONTROLS = {code: " " for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\n\t"}
_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


def render(rationale: Rationale, text: str) -> Text:
    """Return the text dimmed, with sentences bold, words of B1 red and words of B2 cyan at their first occurrence."""
    from rich.text import Text

    shown = Text(text.translate(_CONTROLS | _SURROGATES), style="dim")
    for kind, style in _STYLES.items():
        for part in (*rationale.sentences, *rationale.words):
            if part.kind == kind:
                shown.stylize(f"not dim {style}", part.start, part.end)
    return shown


def picked(lexicon: Lexicon, text: str) -> tuple[dict[str, Any], Text]:
    """Return the rationale of an undecided case as plain values and as highlighted text with a charge per sentence."""
    from rich.text import Text

    neutral = neutralise(text, lexicon.language)
    rationale = Extractor(lexicon).query(neutral.text).in_original(neutral, text)
    lines = [render(rationale, text), Text("")]
    for part in rationale.sentences:
        lines.append(
            Text.assemble((f"{part.score:8.3f}  ", "dim"), (part.charge or "–", "cyan"), f"  {_short(part.text)}")
        )
    words = " ".join(dict.fromkeys(part.text for part in rationale.words)) or "–"
    return rationale_rows(rationale), Text("\n").join([*lines, Text(f"words: {words}", "cyan")])


def write_rationales(out: Path, collection: Collection, lexicon: Lexicon, progress: Progress = silent) -> int:
    """Write the rationales of all documents (by their charges) and queries (by all charges) as JSON lines."""
    extractor = Extractor(lexicon)
    names = Neutraliser()
    texts = [names.document_text(document) for document in collection.documents]
    asked = [names.text(query.text) for query in collection.queries]
    documents = extractor.many(
        [text.text for text in texts], [document.charges for document in collection.documents], progress
    )
    queries = extractor.many([text.text for text in asked])
    originals = [*(one.text for one in collection.documents), *(one.text for one in collection.queries)]
    found = zip([*documents, *queries], [*texts, *asked], originals, strict=True)
    rationales = [rationale.in_original(neutral, text) for rationale, neutral, text in found]
    ids = [
        *(("document", one.id) for one in collection.documents),
        *(("query", one.id) for one in collection.queries),
    ]
    with atomic_file(out) as file:
        for (kind, name), rationale in zip(ids, rationales, strict=True):
            file.write(dumps({kind: name, **rationale_rows(rationale)}) + "\n")
    return len(ids)


def _short(text: str) -> str:
    """Return a sentence as one printable line."""
    line = text.translate(_CONTROLS | _SURROGATES).replace("\n", " ")
    return line if len(line) <= 60 else f"{line[:59]}…"
