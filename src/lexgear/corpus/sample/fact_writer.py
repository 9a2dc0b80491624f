"""Writer of the facts of a case from its circumstances, in varied wordings that never name the charge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from lexgear.corpus.sample.case_plan import Case, Count
from lexgear.corpus.sample.seeded_random import SeededRandom
from lexgear.corpus.sample.sentencing import term_text
from lexgear.corpus.sample.templates import Charge, Degree, charges, phrases

BUSINESS = ("finance", "market", "network")
"""Families whose acts have a date but no time of day."""
QUERY_DETAIL = 0.8
"""Probability that a query has a sentence typical of its charge; with 1, BM25 covers .86 of the charges at rank 1."""
BACKGROUND = {False: (1, 2), True: (1, 3)}
"""Range of the number of background sentences of documents and queries, which draw BM25 to other charges."""
NIGHT = ("凌晨2时许", "21时许", "23时许")


@dataclass(frozen=True, slots=True)
class Facts:
    """The text of the facts, with the names and dates that the rest of the judgment repeats."""

    text: str
    names: tuple[str, ...]
    """Names of the defendants."""
    scenes: tuple[str, ...]
    """Wording of the scene of each charge in the facts."""
    ended: date
    """Date when the suspect was taken into custody."""


class FactWriter:
    """Writer of one case; `query` selects the plainer style and wordings that only queries use."""

    def __init__(self, rng: SeededRandom, *, query: bool) -> None:
        self.rng, self.query = rng, query
        self.surnames: list[str] = rng.shuffled(phrases()["surnames"])
        self.scenes: dict[tuple[str, str], str] = {}
        self.day = date(2016, 1, 5) + timedelta(days=rng.whole(0, 2100))

    def wording(self, texts: Sequence[str], avoid: str = "") -> str:
        """Return one of the wordings; the last one is for queries only."""
        own = texts if self.query else texts[:-1]
        return self.rng.pick([text for text in own if text != avoid])

    def person(self) -> str:
        """Return the name of a new invented person."""
        return self.surnames.pop() + self.rng.pick(("某", "某某"))

    def write(self, case: Case) -> Facts:
        """Write the facts of a case."""
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
        text = opening + "".join(self.insert_background(parts, background, first=not opening)) + "".join(tail)
        scenes = tuple(self.scene(count) for count in case.counts)
        return Facts(text, (x, y) if case.role == "lead" else (x,), scenes, ended)

    def incident(self, count: Count, x: str, subject: str, victim: str) -> str:
        """Write one act: what was done, to whom, when, and with what result."""
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
        """Return the wording of a scene, the same throughout the case."""
        charge = charges()[count.charge]
        key = (charge.family, count.scene)
        if key not in self.scenes:
            self.scenes[key] = self.wording(charge.scenes[count.scene].texts)
        return self.scenes[key]

    def slots(self, x: str, subject: str, victim: str, scene: str) -> dict[str, str]:
        """Return the values of the slots in the templates."""
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
        """Fill the slots of a sentence; each place is drawn anew."""
        for slot, value in slots.items():
            text = text.replace(slot, value)
        return text.replace("{p}", self.rng.pick(phrases()["places"]))

    def figures(self, degree: Degree) -> dict[str, str]:
        """Return amounts and quantities within the range of the degree, small ones more often."""
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
        """Return the wording of an amount: `12500`, or `1.25万` in the plainer style."""
        step = 10 if yuan < 10_000 else 100 if yuan < 100_000 else 1000
        whole = round(yuan / step) * step
        if whole >= 10_000 and self.rng.chance(0.7 if self.query else 0.3):
            return f"{whole / 10_000:.2f}".rstrip("0").rstrip(".") + "万"
        return str(whole)

    def when(self, charge: Charge, means: str) -> str:
        """Return the date and time, or the period, of the next act, and advance the calendar."""
        start = self.day
        if charge.span:
            end = start + timedelta(days=self.rng.whole(70, 300))
            self.day = end + timedelta(days=self.rng.whole(10, 60))
            if start.year == end.year:
                return f"{start.year}年{start.month}月至{end.month}月间"
            return f"{start.year}年{start.month}月至{end.year}年{end.month}月间"
        self.day = start + timedelta(days=self.rng.whole(25, 60))
        if charge.family in BUSINESS:
            return date_text(start)
        hour = self.rng.pick(NIGHT if "夜" in means or "睡" in means else phrases()["times"])
        return f"{date_text(start)}{hour}"

    def tail(self, case: Case, names: tuple[str, str], victim: str, first: date, ended: date) -> list[str]:
        """Write role, criminal record, arrest and compensation, in one of two orders."""
        x, y = names
        who = f"{x}、{y}" if case.role == "lead" else x
        freed = first - timedelta(days=self.rng.whole(150, 1500))
        slots = {"{x}": x, "{y}": y, "{v}": victim, "{date}": date_text(ended)}
        slots |= {"{term}": term_text(self.rng.whole(7, 40)), "{freed}": f"{freed.year}年{freed.month}月"}
        role = [self.wording(texts)] if (texts := phrases()["role"][case.role]["texts"]) else []
        record = [self.wording(texts)] if (texts := phrases()["prior"][case.prior]["texts"]) else []
        traffic = charges()[case.counts[-1].charge].family == "traffic"
        how = phrases()["surrender_traffic" if traffic else "surrender"]
        arrest = [self.wording(how[case.surrender]["texts"])]
        kind = compensation_kind(case)
        amends = [self.wording(phrases()["repair"][kind][case.repair]["texts"])] if kind else []
        record = [text.replace("{d}", x) for text in record]
        rest = [text.replace("{d}", who) for text in arrest + amends]
        ordered = [*role, *record, *rest] if self.rng.chance(0.5) else [*role, *rest, *record]
        return [self.fill(text, slots) for text in ordered]

    def background(self, charge: Charge, x: str, victim: str) -> list[str]:
        """Return sentences unrelated to the charge."""
        fitting = phrases()["background"] + (phrases()["odd_jobs"] if charge.family != "corruption" else [])
        fitting = [text for text in fitting if charge.repair == "victim" or "{v}" not in text]
        chosen = self.rng.shuffled(fitting)[: self.rng.whole(*BACKGROUND[self.query])]
        return [self.fill(text, {"{d}": x, "{v}": victim}) for text in chosen]

    def insert_background(self, parts: list[str], background: list[str], *, first: bool) -> list[str]:
        """Insert the background after a numbered list, else before the acts or after the first of them."""
        if parts[0].startswith("一、"):
            return [*parts, *background]
        if first and self.rng.chance(0.6):
            return [*background, *parts]
        return [parts[0], *background, *parts[1:]]


def compensation_kind(case: Case) -> str:
    """Return the recipient of the case's compensation; empty if there is none."""
    kinds = [kind for count in case.counts if (kind := charges()[count.charge].repair) != "none"]
    return kinds[0] if kinds and case.repair != "none" else ""


def date_text(day: date) -> str:
    """Return the wording of a date: `2019年3月4日`."""
    return f"{day.year}年{day.month}月{day.day}日"
