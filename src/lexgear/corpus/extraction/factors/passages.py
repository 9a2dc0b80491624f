"""Passages of a section that state no facts: quoted law, claims of the defence that fail, lists of evidence.

They are overwritten with full stops, so that positions stay the same and no pattern matches across them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lexgear.corpus.extraction.factors.anchors import Places
from lexgear.corpus.extraction.factors.evidence import EVIDENCE, EVIDENCE_ITEM, evidence

_LAW = re.compile(
    r"(?:依照|依据|根据|按照|适用|参照|触犯了?|违反了?)[^。；]{0,40}?《[^》]{2,60}》[^。；]{0,1000}?(?:之规定|的规定|规定)(?![^，。；]{0,6}的)"
    r"|《(?!认罪)[^》]{2,60}》(?:（[^）]{0,20}）)?(?:第[^，。；、]{1,20}[条款项](?:之[一二三四五])?[、，和及]?)*(?:(?:关于|中|规定的?|，)?[“\"][^”\"]{4,400}[”\"])?"
    r"|(?:不具有|不具备|不构成|不符合|不属于)《[^》]{2,60}》[^，。；]{0,40}"
    r"|(?:规定|明确|指出)[，：:]?[“\"][^”\"]{4,400}[”\"]"
    r"|第[一二三四五六七八九十百零\d]{1,12}条[^，。；“]{0,16}“[^”]{4,400}”"
    r"|第[一二三四五六七八九十百零\d]{1,12}条(?:第[^，。；、第款项]{1,8}[款项])*规定[，：:]?[^。；]{0,120}"
)
_QUOTED = re.compile(r"[，：:]?“[^”]{4,400}”")
"""Words of a law right after its name."""
_DEFINITION = re.compile(
    "是指[^。]{0,200}|罪是以[^。]{0,120}|在犯罪过程中[^。]{0,80}的，(?:应当)?(?:认定为|是)[^。，；]{0,12}|(?:客观|主观)方面表现为[^。]{0,200}|(?:刑法|司法解释)(?:明文|明确)?规定[，：][^。；]{0,200}"
)
_PENAL_PROVISION = re.compile(
    r"的，(?:应当|可以)?(?:并|判)?处(?:以)?[^，。；]{0,14}(?:有期徒刑|拘役|无期徒刑|罚金|死刑)|的，(?:应当|可以)宣告缓刑"
)
_EARLIER_VERDICT = re.compile(
    r"判决(?:如下)?[：:，]\s?(?:[一1１]|被告人|原审被告人)[^。]{0,300}(?:。\s?(?:[二三四五六七八九十2-9]|被告人)[^。]{0,300}){0,12}"
)
_REFERENCE = "该|此|上述|以上|其他|相关"  # 该意见 refers to a claim that was told before
_CLAIM = re.compile(
    rf"被告人[^，。；]{{0,12}}(?:提出|所提)(?!的?(?:{_REFERENCE}))|辩称(?![，：]?其?对[^，。；]{{0,40}}(?:供认|无异议|没有异议|不持异议))|辩护称"
    r"|(?<!和)(?<!与)(?<!及)(?<!、)(?<!无)(?<!可)(?<!供述)(?<!有所)辩解(?!人|并?不影响|不属于|证[实明])|(?<!该)(?<!此)(?<!上述)(?<!其他)(?<!相关)辩护意见|关于[其所]?提出"
    rf"|(?<!及)(?<!及其)辩护人(?!的(?:{_REFERENCE}))[^。；]{{0,30}}?(?:(?:提出|所提)(?!的?(?:{_REFERENCE}))|认为|称|(?<!没有)(?<!无)意见|关于)"
    r"|上诉(?:称(?![，：]?其?对[^，。；]{0,40}(?:供认|无异议|没有异议|不持异议))|提出|理由|意见[：:]|及)|上诉人[^。；]{0,16}(?:提出|所提|认为|称(?![，：]?其?对[^，。；]{0,40}(?:供认|无异议|没有异议|不持异议)))|原告人?[^。；]{0,30}(?:诉称|请求|要求)"
    r"|代理人[^。；]{0,16}(?:诉称|请求|提出|认为)|请求判令|辩护人以|(?<=[，。])其认为|作(?:无罪|罪轻|有罪)辩护|(?<=。)提出[：:]|(?<=。)认为(?:被告人|其|本案)"
    rf"|(?:上诉人|被告人)及其?辩护人(?:提出|所提)(?!的?(?:{_REFERENCE}))"
    r"|关于(?:上诉人|被告人|原审被告人)[^。；]{0,40}的(?:理由|意见|辩解|观点)|(?<=[。；])所提(?!交)|就[^，。；]{0,14}民事[^，。；]{0,8}，认为|为由[^。；，]{0,6}提出上诉"
)
_NEXT_CLAIM = re.compile(
    r"(?:关于|对于|至于|针对|另)[^，。；]{0,30}(?:辩护人|辩解|辩护意见|提出|所提)|(?:提出|所提|辩称|认为)[^。；]{0,80}的(?:辩护|辩解)"
)
_FINDING = re.compile(
    r"[。\s][^。；，、]{0,14}?(?:经(?:本院|依法|公开|开庭|法庭|庭审|二审|一审|原审|再审)*(?:审理|庭审|审)[^。；，]{0,8}(?:查明|认定)|审理查明|(?:本院|原审|原判|一审法院)[^。；，]{0,10}"
    r"(?:查明|认为|认定)|检察院指控|公诉机关(?:指控|认为)|检察院[^。；，]{0,10}(?:认为|指控)|另查明|还查明|上述事实|以上事实|上列|为证明|针对指控"
    r"|被告人[^，。；]{1,14}对(?:公诉机关|起诉|检察|指控|上述)[^，。；]{0,20}(?:事实|罪名)|被告人[^，。；]{1,8}(?:当庭|表示|自愿)[^，。；]{0,4}认罪)|[，。；]经(?:本院审?)?查[，：]"
)
_REJECTED = re.compile(
    r"(?:不予|不能|难以|未予|不应|无法|不)(?:以)?(?:采纳|采信|成立|支持|认可|认定)|不符|无事实|缺乏|依据不足|理由不足|均?不成立|不当|与[^。；，]{0,12}相悖|没有[^。；，]{0,8}依据|无[^。；，]{0,6}依据"
)
_ACCEPTED = re.compile(
    r"(?:予以|应予|可予|酌予|可以|依法|酌情|部分)(?:采纳|采信|支持)|予以考虑|(?<!不)相符|属实|(?:意见|理由)(?:均)?成立"
)
_CLAIM_END = re.compile(
    r"(?<!此)(?<!该)(?<!其他)(?<!其余)(?<!上述)(?<!相关)(?<!项)(?<!点)(?<!辩护)(?<!辩解)(?<!上诉)(?:辩护|辩解|上诉)?(?:意见|理由|观点|辩解|辩称)(?!的)"
)
"""End of what the defence claims; 该意见 and 其他意见 refer to it or to other claims."""
_DECIDED = re.compile("(?:意见|理由|辩解|观点|本院)[^。；]{0,40}(?:不予|予以|不能)(?:采纳|采信)(?!的)")
_ANSWER = re.compile(r"[，。；]经(?:本院审?)?查|本院认为")
_UNPROVED = re.compile("指控|起诉|原判认定|原审认定|事实不清|证据不足|不足以|不能证明|无法认定")
_FAILED_ACCUSATION = re.compile(
    "(?:公诉机关|检察院|检察机关|起诉书)(?:所)?(?:指控|认定)(?!的?罪名)[^。；]{4,200}?(?:证据不足|不予认定|不能成立|事实不清|难以认定|无法认定)"
)
_DEFENDANT_ANSWERS = re.compile(r"(?<=[。\s])被告人[^，。；]{1,14}(?:对(?:公诉|起诉|检察|指控)|辩)")
_FINDINGS_OF_COURT = re.compile("(?:经|本院)[^。；，]{0,10}审理查明(?!.{0,150}(?:相同|一致|原判决?认定))")
PASSAGE_PATTERNS = (
    _LAW,
    _DEFINITION,
    _PENAL_PROVISION,
    _EARLIER_VERDICT,
    _FAILED_ACCUSATION,
    _CLAIM,
    EVIDENCE,
    EVIDENCE_ITEM,
)
"""Patterns whose places `passages` asks for."""
_OUTCOME_WITHIN = 500  # characters: a rejected claim is usually answered in the next three or four sentences
_LONGEST_CLAIM = 2000  # characters: no claim is followed further, so that the time stays linear
_FINDING_WITHIN = 4000  # characters: if no finding follows a claim of the facts, only its sentence is a claim


@dataclass(frozen=True, slots=True)
class Passages:
    """A section without the passages that state no facts."""

    stated: str
    """Without the list of evidence too."""
    with_evidence: str
    places: Places
    """Places where the patterns of the factors can match."""

    def matches(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Yield the matches of a pattern outside the list of evidence."""
        return self.places.matches(pattern, self.stated)


def passages(section: str, text: str, places: Places, *, acquitted: bool = False) -> Passages:
    """Return a section of a judgment with the passages that state no facts overwritten.

    If somebody is acquitted, the court departs from the accusation: its words do not count.
    """
    text = _blank(text, _law(text, places))
    if acquitted:
        text = _blank(text, _accusation(text) if section == "fact" else _unproved(text))
    if section == "reasoning":
        text = _blank(text, _failed_accusations(text, places))
        text = _blank(text, _failed_claims(text, places))
        return Passages(text, text, places)
    text = _blank(text, _claims(text, places))
    return Passages(_blank(text, evidence(text, places)), text, places)


def _accusation(text: str) -> Iterator[tuple[int, int]]:
    """Yield the accusation: up to the answer of the defendants, or to the findings; nothing if none are announced."""
    if findings := _FINDINGS_OF_COURT.search(text):
        answer = _DEFENDANT_ANSWERS.search(text, 0, findings.start())
        yield 0, answer.start() if answer else findings.start()


def _unproved(text: str) -> Iterator[tuple[int, int]]:
    """Yield the sentences on the accusation in the reasoning of an acquittal."""
    start = 0
    for sentence in text.split("。"):
        if _UNPROVED.search(sentence):
            yield start, start + len(sentence)
        start += len(sentence) + 1


def _failed_accusations(text: str, places: Places) -> Iterator[tuple[int, int]]:
    """Yield the parts of the accusation that the court does not find."""
    for match in places.matches(_FAILED_ACCUSATION, text):
        yield match.span()


def _blank(text: str, spans: Iterable[tuple[int, int]]) -> str:
    parts, end = [], 0
    for start, stop in sorted(spans):
        parts += [text[end:start], "。" * (stop - max(start, end))]
        end = max(end, stop)
    return "".join([*parts, text[end:]])


def _law(text: str, places: Places) -> Iterator[tuple[int, int]]:
    """Yield the spans of quoted law, verdicts, definitions (共同犯罪是指…) and provisions (…的，处三年以下有期徒刑)."""
    for match in places.matches(_LAW, text):
        quoted = _QUOTED.match(text, match.end())
        yield match.start(), quoted.end() if quoted else match.end()
    for match in places.matches(_EARLIER_VERDICT, text):
        yield match.span()
    for match in places.matches(_DEFINITION, text):
        yield max(match.start() - 12, *(text.rfind(sign, 0, match.start()) + 1 for sign in "。；，")), match.end()
    for match in places.matches(_PENAL_PROVISION, text):
        yield max(match.start() - 200, *(text.rfind(sign, 0, match.start()) + 1 for sign in "。；\n")), match.end()


def _claims(text: str, places: Places) -> list[tuple[int, int]]:
    """Return the sentences of the facts in which the defence or a civil party speaks."""
    spans, end, found = [], 0, -1
    told = _told_by_court(text, places)
    for claim in places.matches(_CLAIM, text):
        if claim.start() < end:
            continue
        start = _claim_start(text, claim, end)
        sentence = _sentence_end(text, claim.end())
        if found < claim.end():
            finding = _FINDING.search(text, claim.end())
            found = finding.start() if finding else len(text) + _FINDING_WITHIN
        alone = found >= claim.end() + _FINDING_WITHIN or (claim.start() in told and claim[0].startswith("被告人"))
        decided = _DECIDED.search(text, claim.end(), sentence) is not None
        end = sentence if alone else min(sentence, found + 1) if decided else found + 1
        spans.append((start, end))
    return spans


def _told_by_court(text: str, places: Places) -> range:
    """Return where the court tells the facts itself: nobody claims more than a sentence there (提出一同盗窃)."""
    findings = _FINDINGS_OF_COURT.search(text)
    if not findings:
        return range(0)
    lists = (one.start() for one in places.matches(EVIDENCE, text) if one.start() > findings.end())
    return range(findings.end(), next(lists, findings.end()))


def _claim_start(text: str, claim: re.Match[str], end: int) -> int:
    """Return where a claim begins: its clause, or its speaker or sentence if the match is what ends the claim."""
    clause = max(end, *(text.rfind(sign, end, claim.start()) + 1 for sign in "。，；\n"))
    if not claim[0].endswith(("意见", "辩解", "提出上诉")):
        return clause
    sentence = max(end, *(text.rfind(sign, end, claim.start()) + 1 for sign in "。；\n"))
    speaker = max(text.rfind(word, sentence, clause) for word in ("辩护人", "提出", "关于"))
    return speaker if speaker >= 0 else sentence if claim[0].endswith("提出上诉") else clause


def _failed_claims(text: str, places: Places) -> list[tuple[int, int]]:
    """Return the claims of the defence in the reasoning that the court does not accept."""
    spans, end = [], 0
    for claim in places.matches(_CLAIM, text):
        if claim.start() < end:
            continue
        start = _claim_start(text, claim, end)
        stop = min(_sentence_end(text, claim.end()), claim.end() + _LONGEST_CLAIM)
        following = _NEXT_CLAIM.search(text, stop, stop + _OUTCOME_WITHIN + 100)
        limit = min(len(text), stop + _OUTCOME_WITHIN, following.start() if following else len(text))
        reply = _ANSWER.search(text, claim.end(), stop)
        until = reply.start() if reply else stop
        closings = [match.span() for match in _CLAIM_END.finditer(text, claim.end(), until)]
        answer = closings[0][0] if closings else until if reply else claim.end()
        rejected, accepted = _REJECTED.search(text, answer, limit), _ACCEPTED.search(text, answer, limit)
        if accepted and not (rejected and rejected.start() <= accepted.start()):
            end = min(stop, accepted.end())
        else:
            end = max((one for _, one in closings if not rejected or one <= rejected.start()), default=until)
            spans.append((start, end))
    return spans


def _sentence_end(text: str, start: int) -> int:
    ends = [place + 1 for sign in "。\n" if (place := text.find(sign, start)) >= 0]
    return min(ends, default=len(text))
