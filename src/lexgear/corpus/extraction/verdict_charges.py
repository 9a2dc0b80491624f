"""Charges of conviction in a verdict, as opposed to those revoked, rejected or from an earlier case."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lexgear.corpus.extraction.charges import ChargeList, read_charge_list, read_misspelt_charge
from lexgear.corpus.extraction.parties import ROLE, is_only_a_name, named_parties, split_names
from lexgear.law.charges import shipped_charges

_ITEM = r"(?:[一二三四五六七八九十]{1,3}、|（[一二三四五六七八九十]{1,3}）|[0-9]{1,2}[、.．])"
_NEW_ITEM = re.compile(rf"(?:[。；;，：:”]\s*|\s|^){_ITEM}")
_BOUNDARY = re.compile(rf"[。；;：:“”]|(?<![一二三四五六七八九十]){_ITEM}")
_NOTE = re.compile(r"（[^（）]{13,600}）")  # shorter parentheses belong to names: （原审被告人）, （边）境
_END = re.compile(r"如不服本|如果不服本|本判决为终审|本裁定为终审|附[：:]?相关法律")

TOTAL = re.compile("(?:决定|合并|并罚|总共)[^，。；]{0,8}执行|执行(?=有期徒刑|无期徒刑|死刑|拘役|管制)")
"""Pattern that precedes the final penalty for several charges."""

_FOUND = re.compile(
    r"""犯罪?(?!人)
    | 构成(?=[^，。；]{2,40}罪[，,]?判处)
    | 以(?=[^，。；犯]{2,60}罪[，,]?(?:分别)?判处)
    | (?<=[；;])(?=[^，。；犯以]{2,40}罪[，,]?判处)      # 以甲罪判处…；乙罪判处…
    """,
    re.VERBOSE,
)
_CONVICTED = re.compile(rf"(?:{ROLE}[^，。；]{{2,40}}|[；;，,。]\s*)犯$")
_SENTENCE_FOLLOWS = re.compile(r"[，,]?\s*(?:判处|免[予于]|单处)")
_SENTENCED = re.compile(rf"[，,]?(?:分别|各)?判处(?:{ROLE})?([^，。；]{{2,60}}?)各?(?=有期|无期|死刑|拘役|管制|罚金)")
_GUESSES = 8  # most misspelt names to guess per verdict: a guess takes 10 ms

_EARLIER = re.compile(
    rf"""^\s*[前原](?:判|罪|已|生效)
    | (?:原|前|曾|前次|前罪|另案|[0-9]年|[0-9]日)[其所已]?被?$
    | 因$ | 被[^，。；]{{0,30}}法院$
    | ^\s*[并再]?(?:与(?!{ROLE})|加上?|连同|同)(?!(?:本次|此次|新|本案)?所?$).
    """,
    re.VERBOSE,
)
_EARLIER_AFTER = re.compile(
    r"""[，（]?(?:前罪|已?被[^，。；]{0,12}判|所判|尚未|未执行|没有执行|尚余|余刑|撤销缓刑|的余刑|的剩余)
    | [^；。犯]{0,80}予以撤销
    """,
    re.VERBOSE,
)
_OTHERS_SAY = re.compile("指控|辩称|提出|诉称|抗诉称|起诉|辩护|涉嫌")
_REFUSED = re.compile("[^，。；]{0,12}(?:不能成立|不成立|证据不足|不构成|的指控|宣告无罪|无罪)")

_REVOKED = re.compile("撤[销消](?!(?:其|对其)?(?:缓刑|假释)[，,。；、])")
_REVOKED_END = re.compile(
    rf"""。(?!\s*(?:犯|总和|决定|数罪|合并|以上))
    | 改判 | 变更为 | 维持
    | 部分[”’]?[，,；;](?!\s*[即“（]) | 缓刑(?:执行)?部分(?=[及和])
    | 的(?:缓刑|假释)[；;，,]
    | (?:判决|裁定)[；;](?=\s*{ROLE}) | [；;]\s+(?={ROLE})
    | (?:[；;，”]\s*|(?<!即)[：:]\s*|\s){_ITEM}
    """,
    re.VERBOSE,
)
_LONGEST_QUOTE = 5_000


@dataclass(frozen=True, slots=True)
class Finding:
    """Charges of conviction of one or more defendants, and the text up to the next finding: the penalty."""

    names: tuple[str, ...]
    charges: tuple[str, ...]
    rest: str


def plain_verdict(verdict: str) -> str:
    """Return a verdict without notes on terms and payment and without the instructions on appeals."""
    text = verdict.replace("(", "（").replace(")", "）")
    if end := _END.search(text, 1):
        text = text[: end.start()]
    return _NOTE.sub("", _NOTE.sub("", text))  # twice, for a note within a note


def find_findings(text: str) -> list[Finding]:
    """Return the findings of a plain verdict in order; one without names belongs to the persons named last."""
    marks = list(_marks(text)) or list(_marks_without_verb(text))
    revoked = _revoked_spans(text)
    findings: list[Finding] = []
    names: tuple[str, ...] = ()
    previous, same_item = 0, False
    for number, (start, chain) in enumerate(marks):
        clause = _BOUNDARY.split(text[max(previous, start - 400) : start])[-1]
        stop = marks[number + 1][0] if number + 1 < len(marks) else len(text)
        rest, item_goes_on = _within_item(text[chain.end : stop])
        previous = chain.end
        if _inside(start, revoked) or _is_earlier(clause, text, chain.end) or _is_denied(clause, text, chain.end):
            if same_item and (total := TOTAL.search(rest)):
                findings[-1] = replace(findings[-1], rest=findings[-1].rest + rest[total.start() :])
            same_item = same_item and item_goes_on
            continue
        same_item = item_goes_on
        sentenced = _SENTENCED.match(rest)
        names = named_parties(clause) or (split_names(sentenced[1]) if sentenced else ()) or names
        findings.append(Finding(names, chain.charges, rest))
    return findings


def revoked_text(verdict: str) -> str:
    """Return the parts of a verdict that say what it revokes."""
    text = plain_verdict(verdict)
    return "\n".join(text[begin:end] for begin, end in _revoked_spans(text))


def _marks(text: str) -> Iterator[tuple[int, ChargeList]]:
    end = 0
    guesses = _GUESSES
    for verb in _FOUND.finditer(text):
        if verb.start() < end:
            continue
        chain = read_charge_list(text, verb.end())
        if chain is None and guesses and _CONVICTED.search(text, max(0, verb.start() - 60), verb.end()):
            guesses -= 1
            chain = read_misspelt_charge(text, verb.end())
        if chain is not None:
            end = chain.end
            yield verb.start(), chain


def _marks_without_verb(text: str) -> Iterator[tuple[int, ChargeList]]:
    """Yield findings without a verb: 被告人甲某贪污罪，判处…."""
    for mention in shipped_charges().find(text):
        if _SENTENCE_FOLLOWS.match(text, mention.end):
            yield mention.start, ChargeList((mention.name,), mention.end)


def _within_item(text: str) -> tuple[str, bool]:
    """Return the text up to the next numbered item, and whether there is no such item."""
    item = _NEW_ITEM.search(text)
    return (text[: item.start()], False) if item else (text, True)


def _is_earlier(clause: str, text: str, end: int) -> bool:
    """Return whether the charge is from an earlier judgment whose penalty is only added to this one."""
    if "维持" in clause:
        return False
    own = re.split("[，,]", clause)[-1]
    before = _EARLIER.search(own) is not None and not is_only_a_name(own)
    return before or _EARLIER_AFTER.match(text, end) is not None


def _is_denied(clause: str, text: str, end: int) -> bool:
    """Return whether the charge is only alleged, or rejected."""
    negated = clause.endswith(("不", "未")) and not is_only_a_name(clause)
    return negated or bool(_OTHERS_SAY.search(clause) or _REFUSED.match(text, end))


def _revoked_spans(text: str) -> list[tuple[int, int]]:
    """Return the disjoint spans, in order, in which the text says what it revokes, quotations included."""
    spans: list[tuple[int, int]] = []
    stop = 0
    for revoked in _REVOKED.finditer(text):
        if revoked.start() < stop:
            continue
        at = revoked.end()
        while True:
            end = _REVOKED_END.search(text, at)
            stop = end.start() if end else len(text)
            opened = text.find("“", at, stop)
            closed = text.find("”", opened, opened + _LONGEST_QUOTE) if opened >= 0 else -1
            if closed < 0:
                break
            at = closed + 1
        spans.append((revoked.end(), stop))
    return spans


def _inside(position: int, spans: list[tuple[int, int]]) -> bool:
    last = bisect_right(spans, (position, position)) - 1
    return last >= 0 and position < spans[last][1]
