"""Judgments of the sample: court, reasoning and verdict, and the fields that match them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from lexgear.corpus.extraction.penalties import heaviest
from lexgear.corpus.records import Citation, Count, Defendant, Document, Penalty
from lexgear.corpus.sample.case_plan import Case
from lexgear.corpus.sample.fact_writer import Facts, FactWriter, compensation_kind
from lexgear.corpus.sample.seeded_random import SeededRandom
from lexgear.corpus.sample.sentencing import combined_penalty, penalty_text, sentence_for, with_probation
from lexgear.corpus.sample.templates import charges, phrases
from lexgear.law.numerals import chinese_numeral

APPEAL = "如不服本判决，可在接到判决书的第二日起十日内提出上诉。"
PARAGRAPHS = {"25": "第一款", "26": "第一款", "65": "第一款", "69": "", "72": "第一款", "57": "第一款"}


def judgment(case_id: str, case: Case, seed: str) -> Document:
    """Return the document of a case."""
    rng = SeededRandom(f"{seed}/{case_id}")
    facts = FactWriter(rng, query=False).write(case)
    names = [count.charge for count in case.counts]
    defendants, orders = _sentences(rng, case, facts)
    penalty = heaviest(defendant.penalty for defendant in defendants)
    cited = _cited(case, defendants)
    day = facts.ended + timedelta(days=rng.whole(90, 260))
    grave = (penalty is not None and penalty.kind in ("death-suspended", "life")) or "故意杀人罪" in names
    full, region, letter, code = rng.pick(phrases()["regions"])
    seat = rng.pick(phrases()["cities"]) + "中级" if grave else rng.pick(phrases()["counties"])
    return Document(
        id=case_id,
        sections={
            "fact": facts.text,
            "reasoning": _reasoning(rng, case, facts, defendants, cited),
            "verdict": _verdict(case, defendants, orders),
        },
        title="、".join(facts.names) + "、".join(name.removesuffix("罪") for name in names) + "一审刑事判决书",
        charges=tuple(names),
        articles=tuple(Citation("刑法", number) for number, _ in cited),
        defendants=tuple(defendants),
        penalty=penalty,
        court=f"{full}{seat}人民法院",
        level="intermediate" if grave else "basic",
        region=region,
        date=day.isoformat(),
        number=f"（{day.year}）{letter}{code if grave else f'98{code}'}刑初{rng.whole(1, 680)}号",
    )


def _sentences(rng: SeededRandom, case: Case, facts: Facts) -> tuple[list[Defendant], list[str]]:
    """Return each defendant with the final penalty, and the wording of each defendant's penalties in the verdict."""
    defendants, orders = [], []
    noise = rng.unit()  # the same for all defendants, so that an accomplice is never punished more severely
    for place, name in enumerate(facts.names):
        accomplice = place > 0
        found = [charges()[count.charge] for count in case.counts]
        degrees = [charge.degrees[count.degree] for charge, count in zip(found, case.counts, strict=True)]
        each = [
            sentence_for(SeededRandom(f"{noise}/{charge.name}"), case, charge, degree, accomplice=accomplice)
            for charge, degree in zip(found, degrees, strict=True)
        ]
        final = with_probation(
            SeededRandom(f"{noise}/probation"),
            case,
            combined_penalty(each) if len(each) > 1 else each[0],
            accomplice=accomplice,
        )
        names = tuple(charge.name for charge in found)
        counts = tuple(map(Count, names, each)) if len(each) > 1 else ()
        defendants.append(Defendant(name, names, final, counts))
        orders.append(_order(name, names, each, final))
    return defendants, orders


def _order(name: str, names: Sequence[str], each: Sequence[Penalty], final: Penalty) -> str:
    if len(names) == 1:
        verb = "单处" if final.kind == "fine" else "判处"
        return f"被告人{name}犯{names[0]}，{verb}{penalty_text(final)}"
    parts = [f"犯{charge}，判处{penalty_text(penalty)}" for charge, penalty in zip(names, each, strict=True)]
    return f"被告人{name}{'；'.join(parts)}；数罪并罚，决定执行{penalty_text(final)}"


def _cited(case: Case, defendants: Sequence[Defendant]) -> list[tuple[str, str]]:
    """Return the cited articles and paragraphs: those of the charges, then those of the general part in order."""
    special: list[str] = []
    for count in case.counts:
        charge = charges()[count.charge]
        special += [charge.degrees[count.degree].article or charge.article, *charge.also]
    penalties = [defendant.penalty for defendant in defendants if defendant.penalty]
    general = {
        "25": case.role != "alone",
        "26": case.role == "lead",
        "27": case.role == "lead",
        "52": any(penalty.fine for penalty in penalties),
        "57": any(penalty.kind in ("life", "death-suspended") for penalty in penalties),
        "64": bool(_further_orders(case, defendants)),
        "65": case.prior == "repeat",
        "67": case.surrender != "deny",
        "69": len(case.counts) > 1,
        "72": any(penalty.probation_months for penalty in penalties),
    }
    confession = "第一款" if case.surrender == "surrender" else "第三款"
    paragraphs = PARAGRAPHS | {"67": confession}
    unique = list(dict.fromkeys(special))
    return [(number, "") for number in unique] + [
        (number, paragraphs.get(number, "")) for number, applies in general.items() if applies
    ]


def _article(number: str, paragraph: str) -> str:
    main, _, inserted = number.partition("-")
    return f"第{chinese_numeral(int(main))}条{f'之{chinese_numeral(int(inserted))}' if inserted else ''}{paragraph}"


def _reasoning(
    rng: SeededRandom, case: Case, facts: Facts, defendants: Sequence[Defendant], cited: Sequence[tuple[str, str]]
) -> str:
    table = phrases()["reasoning"]
    who = "被告人" + "、".join(facts.names)
    findings = []
    for count, scene in zip(case.counts, facts.scenes, strict=True):
        charge = charges()[count.charge]
        built = rng.pick(table["built"]).replace("{charge}", charge.name)
        recital = [charge.recital.replace("{s}", scene)] if charge.recital else []
        findings.append("，".join([rng.pick(charge.finding), *recital, charge.degrees[count.degree].word, built]))
    remarks = [case.role, case.prior, case.surrender, case.repair if compensation_kind(case) else ""]
    remarks += ["several"] if len(case.counts) > 1 else []
    chosen = [rng.pick(table[name]) for name in remarks if name in table]
    spared = [defendant.name for defendant in defendants if defendant.penalty and defendant.penalty.probation_months]
    lines = [rng.pick(table["opening"]) + who + "；又".join(findings) + "。", rng.pick(table["accusation"])]
    for text in chosen:
        subject = f"被告人{facts.names[0]}" if "累犯" in text else who
        lines.append(text.replace("{who}", subject).replace("{x}", facts.names[0]).replace("{y}", facts.names[-1]))
    if spared:
        lines.append(rng.pick(table["probation"]).replace("{who}", "被告人" + "、".join(spared)))
    basis = "、".join(_article(number, paragraph) for number, paragraph in cited)
    return "".join(lines) + f"依照《中华人民共和国刑法》{basis}之规定，判决如下："


def _verdict(case: Case, defendants: Sequence[Defendant], orders: Sequence[str]) -> str:
    items = []
    for defendant, order in zip(defendants, orders, strict=True):
        penalty = defendant.penalty
        if penalty and penalty.probation_months:
            note = "（缓刑考验期限，从判决确定之日起计算。）"
        elif penalty and penalty.kind in ("imprisonment", "detention"):
            note = "（刑期从判决执行之日起计算。判决执行以前先行羁押的，羁押一日折抵刑期一日。）"
        elif penalty and penalty.kind == "control":
            note = "（刑期从判决执行之日起计算。判决执行以前先行羁押的，羁押一日折抵刑期二日。）"
        elif penalty and penalty.kind == "fine":
            note = "（罚金限于判决生效后十日内缴纳。）"
        else:
            note = ""
        items.append(f"{order}。{note}")
    items += _further_orders(case, defendants)
    numbered = [f"{chinese_numeral(place)}、{item}" for place, item in enumerate(items, start=1)]
    return ("".join(numbered) if len(items) > 1 else items[0]) + APPEAL


def _further_orders(case: Case, defendants: Sequence[Defendant]) -> list[str]:
    """Return orders of restitution, recovery of gains and forfeiture."""
    repaired = {charges()[count.charge].repair for count in case.counts}
    names = "被告人" + "、".join(defendant.name for defendant in defendants)
    orders = []
    if case.repair != "full" and repaired & {"victim", "unit"}:
        orders.append(f"责令{names}继续退赔被害人的经济损失。")
    if case.repair != "full" and "state" in repaired:
        orders.append(f"{names}的违法所得依法予以追缴，上缴国库。")
    if any(charges()[count.charge].family == "drugs" for count in case.counts):
        orders.append("查获的毒品及作案工具依法予以没收。")
    return orders
