"""Choice of the document sections in which words are counted."""

from __future__ import annotations

from lexgear.corpus.records import Document


def searchable_text(document: Document, fact_characters: int, headings: str = "") -> str:
    """Return the beginning of the facts and the reasoning of a judgment, or all of another document with its headings.

    Long fact sections repeat the evidence: on LeCaRD the first 3,000 characters retrieve as well as all of them. The
    verdict is left out because it names the charge, which an undecided case cannot.
    """
    sections = document.sections
    if "fact" in sections or "reasoning" in sections:
        return f"{sections.get('fact', '')[:fact_characters]}\n{sections.get('reasoning', '')}"
    return f"{headings}\n{document.text}" if headings else document.text
