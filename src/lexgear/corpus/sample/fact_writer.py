"""Writes the facts of a case from its circumstances, in varied wordings; the charge is never named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from lexgear.corpus.sample.case_plan import Case, Count
from lexgear.corpus.sample.seeded_random import SeededRandom
from lexgear.corpus.sample.sentencing import length
from lexgear.corpus.sample.templates import Charge, Degree, charges, phrases

BUSINESS = ("finance", "market", "network")
"""Families whose acts have a day, but no hour worth naming."""
QUERY_DETAIL = 0.8
"""How often a query has a sentence typical of its charge: with one always, BM25 covers .86 of the charges at rank 1."""
BACKGROUND = {False: (1, 2), True: (1, 3)}
"""How many sentences of background a document and a query have: they draw BM25 to other charges."""
NIGHT = ("凌晨2时许", "21时许", "23时许")


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts as written, and who and when the rest of the judgment has to repeat."""

    text: str
    names: tuple[str, ...]
    """The defendants."""
    scenes: tuple[str, ...]
    """What the facts call the scene of each charge."""
    ended: date
    """When the suspect came into custody."""


class FactWriter:
    """Writes one case; `query` chooses the plainer style and wordings of its own."""

    def __init__(self, rng: SeededRandom, *, query: bool) -> None:
        self.rng, self.query = rng, query
        self.surnames: list[str] = rng.shuffled(phrases()["surnames"])
        self.scenes: dict[tuple[str, str], str] = {}
        self.day = date(2016, 1, 5) + timedelta(days=rng.whole(0, 2100))

    def wording(self, texts: Sequence[str], avoid: str = "") -> str:
        """One of the wordings; the last is the queries' own, no document takes it."""
        own = texts if self.query else texts[:-1]
        return self.rng.pick([text for text in own if text != avoid])

    def person(self) -> str:
        """A new invented person."""
        return self.surnames.pop() + self.rng.pick(("某", "某某"))

    def write(self, case: Case) -> Facts:
        """The facts of the case."""
        x, y, z = self.person(), self.person(), self.person()
        role = phrases()["role"][case.role]
        subject = self.rng.pick(role["query" if self.query else "document"])
        subject = subject.replace("{x}", x).replace("{y}", y).replace("{z}", z)
        victims = tuple(self.person() for _ in case.counts)
        first = self.day
        incidents = [
            self.incident(count, x, subject, victim) for count, victim in zip(case.counts, victims, strict=True)
        ]
        if len(incidents) > 1 and self.rng.chance(0.6):
            parts = [f"{'一二三'[place]}、{text}" for place, text in enumerate(incidents)]
        else:
            parts = [incidents[0], *(self.rng.pick(phrases()["bridges"]) + text for text in incidents[1:])]
        ended = self.day + timedelta(days=self.rng.whole(1, 70))
        tail = self.tail(case, (x, y), victims[0], first, ended)
        opening = self.rng.pick(phrases()["openings_query" if self.query else "openings_document"])
        background = self.background(charges()[case.counts[0].charge], x, victims[0])
        text = opening + "".join(self.placed(parts, background, first=not opening)) + "".join(tail)
        scenes = tuple(self.scene(count) for count in case.counts)
        return Facts(text, (x, y) if case.role == "lead" else (x,), scenes, ended)

    def incident(self, count: Count, x: str, subject: str, victim: str) -> str:
        """What was done, to whom, when and with what result."""
        charge = charges()[count.charge]
        degree = charge.degrees[count.degree]
        scene = self.scene(count)
        means = self.wording(charge.means[count.means].texts)
        parts = [means]
        if "{s}" not in means:
            lead = self.wording(charge.scene_texts)
            parts = [lead, means] if charge.scene_first else [means, lead]
        parts = [f"{self.when(charge, means)}，{parts[0]}", *parts[1:]]
        if charge.serial and count.degree < 2 and not charge.scene_first and self.rng.chance(0.25):
            again = self.wording(charge.means[count.means].texts, avoid=means)
            parts.append(self.rng.pick(phrases()["serials"]) + again)
        some = int(self.rng.chance(QUERY_DETAIL)) if self.query else self.rng.whole(1, 2)
        typical = self.rng.shuffled(charge.details)[:some]
        parts += [*typical[:1], self.wording(degree.texts), *typical[1:]]
        slots = self.slots(x, subject, victim, scene) | self.figures(degree)
        return "".join(self.fill(part, slots) for part in parts)

    def scene(self, count: Count) -> str:
        """The wording of a scene, the same wherever the case speaks of it."""
        charge = charges()[count.charge]
        key = (charge.family, count.scene)
        if key not in self.scenes:
            self.scenes[key] = self.wording(charge.scenes[count.scene].texts)
        return self.scenes[key]

    def slots(self, x: str, subject: str, victim: str, scene: str) -> dict[str, str]:
        """What the wordings leave open."""
        title = "" if self.query else "被告人"
        return {
            "{D}": subject,
            "{a}": title + x,
            "{d}": x,
            "{v}": victim,
            "{s}": scene,
            "{c}": self.rng.pick(phrases()["companies"]),
            "{b}": self.rng.pick(phrases()["banks"]),
        }

    def fill(self, text: str, slots: dict[str, str]) -> str:
        """The sentence with its slots filled; every mention of a place is a new draw."""
        for slot, value in slots.items():
            text = text.replace(slot, value)
        return text.replace("{p}", self.rng.pick(phrases()["places"]))

    def figures(self, degree: Degree) -> dict[str, str]:
        """Amounts and quantities within the range of the degree, small ones more often."""
        found = {"{n}": str(10 * self.rng.whole(3, 16))}
        tilt = self.rng.unit() ** 2
        if degree.amount:
            yuan = degree.amount[0] + tilt * (degree.amount[1] - degree.amount[0])
            found["{m}"] = self.money(yuan)
        if degree.quantity:
            value = degree.quantity[0] + tilt * (degree.quantity[1] - degree.quantity[0])
            whole = round(value) if value < 1000 else round(value / 100) * 100
            found["{w}"] = f"{value:.1f}" if value < 100 else str(whole)
        return found

    def money(self, yuan: float) -> str:
        """`12500`, or `1.25万` in the plainer style."""
        step = 10 if yuan < 10_000 else 100 if yuan < 100_000 else 1000
        whole = round(yuan / step) * step
        if whole >= 10_000 and self.rng.chance(0.7 if self.query else 0.3):
            return f"{whole / 10_000:.2f}".rstrip("0").rstrip(".") + "万"
        return str(whole)

    def when(self, charge: Charge, means: str) -> str:
        """The day and hour, or the period, of the next incident; moves the calendar on."""
        start = self.day
        if charge.span:
            end = start + timedelta(days=self.rng.whole(70, 300))
            self.day = end + timedelta(days=self.rng.whole(10, 60))
            if start.year == end.year:
                return f"{start.year}年{start.month}月至{end.month}月间"
            return f"{start.year}年{start.month}月至{end.year}年{end.month}月间"
        self.day = start + timedelta(days=self.rng.whole(25, 60))
        if charge.family in BUSINESS:
            return written(start)
        hour = self.rng.pick(NIGHT if "夜" in means or "睡" in means else phrases()["times"])
        return f"{written(start)}{hour}"

    def tail(self, case: Case, names: tuple[str, str], victim: str, first: date, ended: date) -> list[str]:
        """Role, record, arrest and amends, in one of several orders."""
        x, y = names
        who = f"{x}、{y}" if case.role == "lead" else x
        freed = first - timedelta(days=self.rng.whole(150, 1500))
        slots = {"{x}": x, "{y}": y, "{v}": victim, "{date}": written(ended)}
        slots |= {"{term}": length(self.rng.whole(7, 40)), "{freed}": f"{freed.year}年{freed.month}月"}
        role = [self.wording(texts)] if (texts := phrases()["role"][case.role]["texts"]) else []
        record = [self.wording(texts)] if (texts := phrases()["prior"][case.prior]["texts"]) else []
        traffic = charges()[case.counts[-1].charge].family == "traffic"
        how = phrases()["surrender_traffic" if traffic else "surrender"]
        arrest = [self.wording(how[case.surrender]["texts"])]
        amends = [self.wording(phrases()["repair"][kind][case.repair]["texts"])] if (kind := amends_kind(case)) else []
        record = [text.replace("{d}", x) for text in record]
        rest = [text.replace("{d}", who) for text in arrest + amends]
        ordered = [*role, *record, *rest] if self.rng.chance(0.5) else [*role, *rest, *record]
        return [self.fill(text, slots) for text in ordered]

    def background(self, charge: Charge, x: str, victim: str) -> list[str]:
        """Sentences that say nothing of the charge."""
        fitting = phrases()["background"] + (phrases()["odd_jobs"] if charge.family != "corruption" else [])
        fitting = [text for text in fitting if charge.repair == "victim" or "{v}" not in text]
        chosen = self.rng.shuffled(fitting)[: self.rng.whole(*BACKGROUND[self.query])]
        return [self.fill(text, {"{d}": x, "{v}": victim}) for text in chosen]

    def placed(self, parts: list[str], background: list[str], *, first: bool) -> list[str]:
        """Background after a numbered list, else before the acts or after the first of them."""
        if parts[0].startswith("一、"):
            return [*parts, *background]
        if first and self.rng.chance(0.6):
            return [*background, *parts]
        return [parts[0], *background, *parts[1:]]


def amends_kind(case: Case) -> str:
    """Whom the case's amends go to; empty where there were none to make or none were made."""
    kinds = [kind for count in case.counts if (kind := charges()[count.charge].repair) != "none"]
    return kinds[0] if kinds and case.repair != "none" else ""


def written(day: date) -> str:
    """`2019年3月4日`."""
    return f"{day.year}年{day.month}月{day.day}日"
