"""The paper's table of rationale extraction: the time of f_R, and two automatic tests of what it keeps.

The paper asked two people whether 50 rationales sufficed to tell the charges; `annotation.py` makes such a sheet. The
tests here need no annotators: can a classifier name the charge from the rationale alone, and does deleting the
rationale change its judgment more than deleting as much other text? f_R is applied as to queries: it sees no charge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from lexgear.corpus.records import Collection
from lexgear.evaluation.reproduce.rationale.cases import StudyCase, StudyCases, study_cases
from lexgear.evaluation.reproduce.rationale.charge_classifier import ITERATIONS, STRENGTH, ChargeClassifier
from lexgear.evaluation.reproduce.rationale.deletion import BEGINNING, BEST, NOTHING, OTHERS, judgment_changes
from lexgear.evaluation.reproduce.rationale.model_inputs import (
    WINDOW,
    MakeInputs,
    best_half,
    first_half,
    first_tokens,
    make_in_batches,
    rationales,
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
    progress: Progress = silent,
) -> list[Table]:
    """Return the tables of times, of charges named from each kind of input, and of charges named without it.

    All but the times is deterministic. `generate` and `summarise` get one text at a time when they are timed, and then
    at most 24 texts per sample.
    """
    inputs = Inputs.of(collection, RationaleSettings())
    cases = study_cases(collection, inputs, seed)
    inputs_by_name = {
        FIRST: first_tokens(collection.language),
        QUERY: generate,
        SUMMARY: summarise,
        RATIONALE: rationales(inputs),
        WHOLE: whole_text,
        BEST_HALF: best_half(inputs),
        FIRST_HALF: first_half,
    }
    study = _Study(inputs, cases, samples, seed, progress, inputs_by_name)
    return [_times(study), _naming(study), _deleting(study)]


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
        f"f_R has at most {WINDOW} tokens; {long} of the {len(tested):,} test cases are longer; "
        f"{sum(known.isdisjoint(names) for names in charges)} have no charge of a training case and "
        "cannot be correct.",
        "The paper's accuracies measure something else: how often annotators found a text sufficient.",
    ]
    columns = ("the classifier reads", "characters", "accuracy", *INTERVAL, "p", *PAPER_COLUMNS)
    return Table("Naming the charge from the rationale alone", columns, rows, notes)


def _deleting(study: _Study) -> Table:
    learnt, tested = study.cases.split(study.samples)
    judge = ChargeClassifier([case.text for case in learnt], [case.charges for case in learnt], study.language)
    found = judgment_changes(tested, study.inputs, judge, study.seed, study.progress)
    notes = [
        f"A classifier as above, trained on whole texts, judges {len(found.characters)} of the {len(tested)} test "
        f"cases; {found.left_out} are left out, because no sentence fits into half of the text.",
        f"Best: the sentences with the highest f_R scores that fit into {WINDOW} characters and into half of the text.",
        "Change: sum over the charges of |difference of their probability|. low, high: 95% bootstrap intervals over "
        "the test cases; p: paired t-test of the change against that by f_R's sentences, Bonferroni over 2.",
    ]
    characters = fmean(found.characters) if found.characters else None
    rows: list[Sequence[Cell]] = []
    for name in (NOTHING, BEST, BEGINNING, OTHERS) if found.characters else ():
        row: list[Cell] = [name, None if name == NOTHING else characters, fmean(found.right[name])]
        row += bootstrap(found.right[name], study.seed)
        change = found.change.get(name)
        row += [fmean(change), *bootstrap(change, study.seed)] if change else [None, None, None]
        compared = change is not None and name != BEST
        row.append(bonferroni(paired_t_test(found.change[BEST], change), 2) if compared and change else None)
        rows.append(row)
    change_interval = (f"{end} of the change" for end in INTERVAL)
    columns = ("deleted", "characters", "accuracy", *INTERVAL, "change of the judgment", *change_interval, "p")
    return Table("Naming the charge without the rationale", columns, rows, notes)
