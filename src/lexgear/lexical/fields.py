"""Which parts of a document words are counted in."""

from __future__ import annotations

from lexgear.corpus.records import Document


def searchable_text(document: Document, fact_characters: int, headings: str = "") -> str:
    """Facts (their beginning) and reasoning of a judgment; all of any other document, with its headings.

    Long fact sections repeat the evidence; on LeCaRD the first 3,000 characters find as much as all of them.
    The verdict is left out: it names the charge, which an undecided case cannot.
    """
    sections = document.sections
    if "fact" in sections or "reasoning" in sections:
        return f"{sections.get('fact', '')[:fact_characters]}\n{sections.get('reasoning', '')}"
    return f"{headings}\n{document.text}" if headings else document.text
