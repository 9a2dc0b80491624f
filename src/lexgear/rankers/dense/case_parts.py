"""The parts of a judgment that SAILER distinguishes: facts, reasoning and verdict. Only documents have them."""

from __future__ import annotations

from lexgear.corpus.records import Citation, Document, Penalty

PENALTIES = {
    "death": "死刑",
    "death-suspended": "死刑，缓期二年执行",
    "life": "无期徒刑",
    "imprisonment": "有期徒刑",
    "detention": "拘役",
    "control": "管制",
    "fine": "",
    "exempt": "免予刑事处罚",
}


def reasoning(document: Document) -> str:
    """Return the court's reasoning; empty if the source does not separate it."""
    return document.sections.get("reasoning", "")


def verdict(document: Document) -> str:
    """Return the verdict; without a verdict section, charges, articles and penalty written out.

    >>> cited, sentence = Citation("刑法", "133-1"), Penalty("detention", 5)
    >>> verdict(Document("d", charges=("危险驾驶罪",), articles=(cited,), penalty=sentence))
    '犯危险驾驶罪，依照刑法第133条之1，判处拘役5个月'
    """
    if document.sections.get("verdict"):
        return document.sections["verdict"]
    named = f"犯{'、'.join(document.charges)}" if document.charges else ""
    cited = f"依照{'、'.join(map(_written, document.articles))}" if document.articles else ""
    sentence = f"判处{_sentence(document.penalty)}" if document.penalty else ""
    return "，".join(part for part in (named, cited, sentence) if part)


def _written(article: Citation) -> str:
    number, _, more = article.number.partition("-")
    return f"{article.law}第{number}条" + (f"之{more}" if more else "")


def _sentence(penalty: Penalty) -> str:
    term = PENALTIES.get(penalty.kind, penalty.kind) + (f"{penalty.months}个月" if penalty.months else "")
    probation = f"缓刑{penalty.probation_months}个月" if penalty.probation_months else ""
    fine = f"罚金{penalty.fine}元" if penalty.fine else ""
    return "，".join(part for part in (term, probation, fine) if part)
