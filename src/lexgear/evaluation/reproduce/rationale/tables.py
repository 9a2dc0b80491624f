"""The paper's table of rationale extraction: the time of f_R, and two automatic tests of what it keeps.

The paper asked two people whether 50 rationales sufficed to tell the charges; `annotation.py` makes such a sheet. The
tests here need no annotators: can a classifier name the charge from the rationale alone, and does deleting the
rationale change a judgment more than deleting as much other text? f_R is applied as to queries: it sees no charge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from lexgear.corpus.records import Collection
from lexgear.evaluation.reproduce.rationale.cases import StudyCase, StudyCases, study_cases
from lexgear.evaluation.reproduce.rationale.charge_classifier import ITERATIONS, STRENGTH, ChargeClassifier
from lexgear.evaluation.reproduce.rationale.deletion import Judge, judgment_changes
from lexgear.evaluation.reproduce.rationale.model_inputs import (
    WINDOW,
    MakeInputs,
    best_half,
    first_half,
    first_tokens,
    make_in_batches,
    time_batch,
    time_each,
    whole_text,
)
from lexgear.evaluation.reproduce.report import Cell, Table
from lexgear.evaluation.significance import bonferroni, bootstrap, paired_t_test
from lexgear.progress import Progress, silent
from lexgear.rankers.inputs import Inputs
from lexgear.rationale.records import RationaleSettings

NOT_GIVEN = "not given"
FIRST, QUERY, SUMMARY, RATIONALE = (
    f"Direct indexing: the first {WINDOW} tokens",
    "Doc2query: a generated query",
    "A language model's summary (the paper: ChatLaw)",
    "f_R",
)
WHOLE, BEST_HALF, FIRST_HALF = "The whole text", "f_R in half the text's characters", "The first half of the text"
PAPER_MILLISECONDS = {
    QUERY: ("4,094.78 ± 1,363.07", "3,947.01 ± 1,229.81"),
    SUMMARY: ("20,975.92 ± 3,858.29", "21,827.05 ± 5,820.58"),
    RATIONALE: ("0.10 ± 0.01", "0.67 ± 0.03"),
}
PAPER_ACCURACY = {FIRST: (0.66, 0.38), QUERY: (0.48, 0.26), SUMMARY: (0.94, 0.88), RATIONALE: (0.94, 0.86)}
"""On ELAM and LeCaRDv2: the share of 50 samples that two annotators (agreement .96) found sufficient."""
PAPER_COLUMNS = ("paper, ELAM", "paper, LeCaRDv2")
INTERVAL = ("low", "high")


@dataclass(frozen=True, slots=True)
class _Study:
    inputs: Inputs
    cases: StudyCases
    samples: int
    seed: int
    progress: Progress
    inputs_by_name: Mapping[str, MakeInputs | None]
    """Kinds of input in the order of the table; None if the model for it was not given."""

    @property
    def language(self) -> str:
        return self.inputs.lexicon.language

    @property
    def sample(self) -> Sequence[StudyCase]:
        return self.cases.sample(self.samples)


def rationale_tables(
    collection: Collection,
    *,
    samples: int = 50,
    seed: int = 0,
    generate: MakeInputs | None = None,
    summarise: MakeInputs | None = None,
    judge: Judge | None = None,
    progress: Progress = silent,
) -> list[Table]:
    """Return the tables of times, of charges named from each kind of input, and of judgments without the rationale.

    All but the times is deterministic. `generate` and `summarise` get one text at a time when they are timed, and then
    at most 24 texts per sample.
    """
    inputs = Inputs.of(collection, RationaleSettings())
    cases = study_cases(collection, inputs, seed)
    inputs_by_name = {
        FIRST: first_tokens(collection.language),
        QUERY: generate,
        SUMMARY: summarise,
        RATIONALE: inputs.of_queries,
        WHOLE: whole_text,
        BEST_HALF: best_half(inputs),
        FIRST_HALF: first_half,
    }
    study = _Study(inputs, cases, samples, seed, progress, inputs_by_name)
    return [_times(study), _naming(study), _deleting(study, judge)]


def _times(study: _Study) -> Table:
    texts = [case.text for case in study.sample]
    rows: list[Sequence[Cell]] = []
    for name, paper in PAPER_MILLISECONDS.items():
        make = study.inputs_by_name[name]
        if make is None:
            rows.append((name, NOT_GIVEN, None, None, *paper))
            continue
        times = time_each(make, texts, study.progress, f"timing {name}")
        rows.append((name, fmean(times), *bootstrap(times, study.seed), *paper))
    together = time_batch(study.inputs.of_queries, texts)
    rows.append((f"{RATIONALE}, all samples at once", together, None, None, None, None))
    notes = [
        f"Over {len(texts)} samples (seed {study.seed}), one at a time after a warm-up; low, high: 95% "
        "bootstrap interval of the mean over the samples.",
        f"Samples: {study.cases.source}; on average {fmean(map(len, texts)):,.0f} characters.",
        "The paper measured on an NVIDIA RTX A6000 machine; it omits the time of Direct indexing.",
    ]
    columns = ("input", "ms per sample", *INTERVAL, *PAPER_COLUMNS)
    return Table("Time of rationale extraction per sample", columns, rows, notes)


def _naming(study: _Study) -> Table:
    learnt, tested = study.cases.split(study.samples)
    texts, charges = [case.text for case in tested], [case.charges for case in tested]
    right: dict[str, list[float]] = {}
    lengths: dict[str, float] = {}
    for name, make in study.inputs_by_name.items():
        if make is not None:
            made = make_in_batches(make, [case.text for case in (*learnt, *tested)], study.progress, f"reading {name}")
            classifier = ChargeClassifier(made[: len(learnt)], [case.charges for case in learnt], study.language)
            right[name] = classifier.correct(made[len(learnt) :], charges)
            lengths[name] = fmean(map(len, made[len(learnt) :]))
    against = {name: FIRST_HALF if name == BEST_HALF else FIRST for name in right if name not in (FIRST, FIRST_HALF)}
    rows: list[Sequence[Cell]] = []
    for name in study.inputs_by_name:
        paper = PAPER_ACCURACY.get(name, (None, None))
        if name not in right:
            rows.append((name, None, NOT_GIVEN, None, None, None, *paper))
            continue
        interval, p = bootstrap(right[name], study.seed), None
        if name in against:
            p = bonferroni(paired_t_test(right[name], right[against[name]]), len(against))
        rows.append((name, lengths[name], fmean(right[name]), *interval, p, *paper))
    known = {charge for case in learnt for charge in case.charges}
    long = sum(cut != text for cut, text in zip(first_tokens(study.language)(texts), texts, strict=True))
    notes = [
        f"Instead of annotators: one classifier per kind of input (logistic regression on TF-IDF, L2 with C = "
        f"{STRENGTH:g}, at most {ITERATIONS} steps of L-BFGS, not tuned), trained on {len(learnt):,} cases and "
        f"tested on {len(tested):,} others (seed {study.seed}), all read as undecided, with names "
        "of charges masked.",
        "A case with several charges counts for each of them in equal parts; a test case is correct if the predicted "
        "charge is one of its own. Generated texts are not masked: their model has seen no label.",
        f"low, high: 95% bootstrap interval over the test cases. p: paired t-test against the first {WINDOW} tokens; "
        f"of the two halves, f_R's against the first half. Bonferroni over {len(against)}.",
        f"{long} of the {len(tested):,} test cases are longer than {WINDOW} tokens; "
        f"{sum(known.isdisjoint(names) for names in charges)} have no charge of a training case and "
        "cannot be correct.",
        "The paper's accuracies measure something else: how often annotators found a text sufficient.",
    ]
    columns = ("the classifier reads", "characters", "accuracy", *INTERVAL, "p", *PAPER_COLUMNS)
    return Table("Naming the charge from the rationale alone", columns, rows, notes)


def _deleting(study: _Study, judge: Judge | None) -> Table:
    columns = ("deleted", "characters", "mean change of the judgment", *INTERVAL, "p")
    title, names = "Judging without the rationale", ("f_R's best sentences", "as many characters of other sentences")
    if judge is None:
        return Table(title, columns, [(name, None, NOT_GIVEN, None, None, None) for name in names])
    found = judgment_changes(study.sample, study.inputs, judge, study.seed, study.progress)
    notes = [
        f"{len(found.rationale)} samples (seed {study.seed}); {found.left_out} left out: a single sentence, or no "
        "judgment on the whole text.",
        "Best: the sentences with the highest f_R scores that fit into half of the text. The others are drawn at "
        "random; of the last one only the beginning is deleted, so that both lose the same number of characters.",
        "Change: sum over the charges of |difference of their probability|; a charge not named counts as 0, as do "
        "all charges of a text without a judgment. low, high: 95% bootstrap interval over samples; p: paired t-test.",
    ]
    if not found.rationale:
        return Table(title, columns, [(name, None, None, None, None, None) for name in names], notes)
    characters = fmean(found.characters)
    rows: list[Sequence[Cell]] = [
        (name, characters, fmean(values), *bootstrap(values, study.seed), None)
        for name, values in zip(names, (found.rationale, found.others), strict=True)
    ]
    more = [ours - theirs for ours, theirs in zip(found.rationale, found.others, strict=True)]
    p = paired_t_test(found.rationale, found.others)
    rows.append(("difference of the two", None, fmean(more), *bootstrap(more, study.seed), p))
    return Table(title, columns, rows, notes)
