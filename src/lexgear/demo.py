"""Demonstration on the built-in sample: index, judge, search, train and evaluate."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from lexgear.api import Index, train
from lexgear.corpus.records import Collection, Query
from lexgear.corpus.sample.cases import case_gloss, charge_gloss, sample_cases
from lexgear.corpus.sample.statutes import question_gloss, sample_statutes
from lexgear.evaluation.calibration import JudgedQuery, quality_by_charges
from lexgear.evaluation.experiment import experiment
from lexgear.evaluation.tables import terminal
from lexgear.rankers.base import Ranker
from lexgear.rankers.baselines.gold_charge import GoldChargePopular, GoldChargeRandom, GoldChargeRandomSettings
from lexgear.rankers.generative.gear import Gear
from lexgear.rankers.generative.gear_settings import GearSettings
from lexgear.rankers.lexgear.charge_fusion import ChargeFusion
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.words.bm25 import BM25
from lexgear.rankers.words.query_likelihood import QueryLikelihood
from lexgear.settings import configure
from lexgear.terminal import console, hits_text, judgment_quality_table, judgment_view, progress_bar

SEEDS = 20
"""Seeds of the random order: enough to fix three decimals of the table."""
GEAR_EPOCHS = 6
"""Epochs of `gear`, fewer than its default: the demo is to show results within minutes."""


def run_demo(out: Path) -> None:
    """Index the sample in `out`, show a judgment and two searches, then evaluate lexgear beside other rankers."""
    screen, start = console(), time.monotonic()
    screen.print("[bold]lexgear demo[/]: search, judgment, evaluation on the built-in sample. Two to five minutes.\n")
    cases, statutes = sample_cases(), sample_statutes()
    screen.print(
        f"[bold]1.[/] The sample: {len(cases.documents):,} invented cases under "
        f"{len(cases.law.of_kind('charge'))} charges of the Chinese Criminal Law, {len(cases.queries)} queries; "
        f"{len(statutes.documents)} articles of an invented French code, {len(statutes.queries)} questions.\n"
    )
    lexgear = Lexgear()
    with progress_bar("Indexing the cases with lexgear") as progress:
        index = train(cases, lexgear, out, progress)
    screen.print(f"[bold]2.[/] The index is in {out}. {_start_text(lexgear)}")
    screen.print("An undecided case, the predicted judgment, and the precedents:\n")
    _show(screen, index, _test_queries(cases)[0])
    french = train(statutes, Lexgear(), out.with_name(f"{out.name}-fr"))
    screen.print("\n[bold]3.[/] A question, and the articles that may answer it:\n")
    [question, *_] = _test_queries(statutes)
    screen.print(Panel(Text(f"{question.text}\n\n{question_gloss(question.id)}"), title=f"question {question.id}"))
    screen.print(hits_text(french.search(question.text, k=3)))
    with progress_bar("Training gear, the paper's method") as progress:
        gear = Gear(configure(GearSettings, epochs=GEAR_EPOCHS)).fit(cases, progress)
    screen.print(
        "\n[bold]4.[/] Evaluation on the test queries, beside gear, the paper's method, trained from scratch. The\n"
        "sample is invented and its queries were known when it was written, so it proves nothing about real cases;\n"
        "docs/results.md has results on real data.\n"
    )
    trivial: dict[str, Sequence[Ranker]] = {
        "gold charge, then random": [GoldChargeRandom(GoldChargeRandomSettings(n)) for n in range(SEEDS)],
        "gold charge, then popularity": [GoldChargePopular()],
    }
    ours = {"gear": gear, "BM25 + log P(charge)": ChargeFusion.of(lexgear, cases), "lexgear": lexgear}
    _measure(screen, cases, "Similar cases (Chinese)", "nDCG(dcg='exp-log2')@10,R@20,RR,coverage@1", trivial, ours)
    _measure(screen, statutes, "Statutory articles (French)", "R@5,R@10,R@20,RR", {}, {"lexgear": french.ranker})
    screen.print("Quality of the judgments of lexgear on the same queries:\n")
    screen.print(judgment_quality_table(quality_by_charges([_judged(index, query) for query in _test_queries(cases)])))
    screen.print(
        f"\nDone in {time.monotonic() - start:.0f} s. Try a case of your own:\n"
        f'  lexgear search {out} --text "被告人深夜翻墙进入一家商店，撬开收银柜拿走现金五千余元。"\n'
        f'  lexgear judge {out} --text "被告人深夜翻墙进入一家商店，撬开收银柜拿走现金五千余元，次日被抓获。"\n'
        "Or open it in a browser (`make serve` does the same):\n"
        f"  lexgear serve {out}"
    )


def _start_text(lexgear: Lexgear) -> str:
    return (
        "It starts from the included base model." if lexgear.parts.base else "It uses words only, without a base model."
    )


def _measure(
    screen: Console,
    collection: Collection,
    title: str,
    measures: str,
    more: Mapping[str, Sequence[Ranker]],
    fitted: Mapping[str, Ranker],
) -> None:
    systems: dict[str, Sequence[Ranker]] = {"BM25": [BM25()], "query likelihood": [QueryLikelihood()], **more}
    queries = _test_queries(collection)
    result = experiment(collection, systems, measures, queries=queries, baseline="BM25", fitted=fitted)
    table = terminal(result)
    table.title, table.title_justify = f"{title}: {len(queries)} test queries", "left"
    screen.print(table)
    screen.print()


def _judged(index: Index, query: Query) -> JudgedQuery:
    named = {charge.name: charge.probability for charge in index.judge(query.text).charges}
    return JudgedQuery(frozenset(query.charges), named)


def _test_queries(collection: Collection) -> list[Query]:
    return [query for query in collection.queries if query.split == "test"]


def _show(screen: Console, index: Index, query: Query) -> None:
    decided = "、".join(query.charges)
    english = ", ".join(charge_gloss(charge) for charge in query.charges)
    screen.print(
        Panel(
            Text(f"{query.text}\n\n{case_gloss(query.id)}"),
            title=f"case {query.id}",
            subtitle=f"label: {decided} ({english}); not shown to the model",
        )
    )
    screen.print(judgment_view(index.judge(query.text), index.law))
    screen.print()
    screen.print(hits_text(index.search(query.text, k=5), gloss=lambda hit: case_gloss(hit.document.id)))
