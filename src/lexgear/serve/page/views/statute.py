"""View of a charge beside a case: text of its article if the index has it, and its entry in the charge book."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lexgear.law.charge_book import ChargeBookEntry, Threshold, charge_book, charge_glosses
from lexgear.law.tree import LawNode
from lexgear.serve.page.context import PageContext
from lexgear.wording.translations import Texts


@dataclass(frozen=True)
class RelatedCharges:
    """Charges that stand in one relation to another charge."""

    relation: str
    charges: Sequence[tuple[str, str]]
    """Text and law node id; the id is empty if the law of the index does not have the charge."""


@dataclass(frozen=True)
class StatuteView:
    """Charge with what is known of its law."""

    name: str
    gloss: str
    """Name in the language of the page; empty for Chinese."""
    node: str
    article: str
    text: str
    """Text of the article; empty if the index does not have it."""
    elements: Sequence[tuple[str, str]]
    """Label and our description."""
    thresholds: Sequence[str]
    related: Sequence[RelatedCharges]


def statute_view(context: PageContext, charge: str) -> StatuteView | None:
    """Return the view of a charge; None if neither the law nor the charge book knows it."""
    law, places = context.served_index.index.law, context.served_index.placement.charges
    node = law[places[charge][0]] if charge in places else None
    entry, gloss = charge_book().get(charge), charge_glosses().get(charge, {})
    article = _article(context, node)
    if node is None and entry is None:
        return None
    return StatuteView(
        name=charge,
        gloss=gloss.get(context.preferences.language, ""),
        node=node.id if node else "",
        article=context.format.place(article) if article else "",
        text=article.text if article else "",
        elements=list(_elements(context, entry)) if entry else (),
        thresholds=[_threshold(context.reading, one) for one in entry.thresholds] if entry else (),
        related=list(_related(context, entry)) if entry else (),
    )


def statute_views(context: PageContext, place: LawNode) -> list[StatuteView]:
    """Return the views of a charge, or of the charges that an article defines."""
    law = context.served_index.index.law
    nodes = [place] if place.kind == "charge" else law.children(place) if place.kind == "article" else []
    views = (statute_view(context, one.number) for one in nodes if one.kind == "charge")
    return [one for one in views if one]


def _article(context: PageContext, node: LawNode | None) -> LawNode | None:
    """Return the article that defines a charge."""
    law = context.served_index.index.law
    return next((step for step in reversed(law.path(node)) if step.kind == "article"), None) if node else None


def _elements(context: PageContext, entry: ChargeBookEntry) -> Iterator[tuple[str, str]]:
    r, day = context.reading, context.format.day
    for name in ("definition", "interest", "conduct", "subject", "mental"):
        yield r(f"charge.{name}"), getattr(entry, name)
    since, until = day(entry.in_force_from.isoformat()), entry.in_force_until
    if until:
        yield r("charge.in_force"), r("charge.between", date=since, until=day(until.isoformat()), act=entry.enacted_by)
    else:
        yield r("charge.in_force"), r("charge.since", date=since, act=entry.enacted_by)
    for name, names in (("former", entry.former_names), ("later", entry.later_names)):
        if names:
            yield r(f"charge.{name}"), "、".join(names)


def _threshold(r: Texts, threshold: Threshold) -> str:
    if threshold.maximum is None:
        number = r("charge.least", **{"from": f"{threshold.minimum:,g}", "unit": threshold.unit})
    else:
        ends = {"from": f"{threshold.minimum:,g}", "to": f"{threshold.maximum:,g}", "unit": threshold.unit}
        number = r("charge.between_numbers", **ends)
    parts = [threshold.source, *([] if threshold.verified else [r("charge.unverified")])]
    unless = [r("charge.unless", cases="、".join(threshold.unless))] if threshold.unless else []
    return f"{number}：{threshold.means}（{'，'.join([*parts, *unless])}）"


def _related(context: PageContext, entry: ChargeBookEntry) -> Iterator[RelatedCharges]:
    r, places = context.reading, context.served_index.placement.charges

    def at(charge: str, shown: str = "") -> tuple[str, str]:
        return shown or charge, places[charge][0] if charge in places else ""

    absorbed = [at(one.charge, r("charge.absorbed", charge=one.charge, when=one.when)) for one in entry.absorbs]
    found = {
        "excludes": [at(one) for one in entry.excludes],
        "special": [at(one) for one in entry.special_case_of],
        "absorbs": absorbed,
        "together": [at(one) for one in entry.together],
    }
    for name, charges in found.items():
        if charges:
            yield RelatedCharges(r(f"charge.{name}"), charges)
