"""Tests of terminal output: hits, judgments, tables, progress."""

import io

import pytest
from rich.console import Console, RenderableType

from lexgear.api import Hit
from lexgear.corpus.records import Document
from lexgear.corpus.sample.law import sample_law
from lexgear.evaluation.calibration import Interval, JudgedQuery, quality_by_charges
from lexgear.judgment.notes import TOO_SHORT
from lexgear.judgment.records import Judgment, PredictedCharge
from lexgear.rankers.explanation import Explanation, Step
from lexgear.rationale.records import Part, Rationale
from lexgear.terminal import (
    hits_text,
    judgment_quality_table,
    judgment_view,
    progress_bar,
    progress_lines,
    reliability_table,
    walk_tree,
)

LAW = sample_law()
CODE, PART, CHAPTER, ARTICLE, THEFT = (node.id for node in LAW.path(LAW["cn-criminal/2/5/264/盗窃罪"]))
ROBBERY = "cn-criminal/2/5/263/抢劫罪"
SENTENCE = Part("sentence", "翻墙进入商店，\x1b[2J拿走现金。", 0, 12, 0.3, "盗窃罪")


def printed(shown: RenderableType) -> str:
    screen = Console(file=io.StringIO(), width=120, highlight=False)
    screen.print(shown)
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


PATH_TO_THEFT = (CODE, PART, CHAPTER, ARTICLE, THEFT)


def judgment() -> Judgment:
    charges = (
        PredictedCharge(
            "盗窃罪", 0.97, 0.7, (CODE, PART, CHAPTER, ARTICLE, THEFT), applies=True, rationale=(SENTENCE,)
        ),
        PredictedCharge("抢劫罪", 0.2, 0.1, tuple(node.id for node in LAW.path(LAW[ROBBERY])), applies=False),
        PredictedCharge(
            "行贿罪", 0.01, 0.001, tuple(node.id for node in LAW.path(LAW["cn-criminal/2/8/389/行贿罪"])), False
        ),
    )
    walk = {PART: 1.0, "cn-criminal/2/4": 0.05, CHAPTER: 0.9, "cn-criminal/2/5/263": 0.1, ROBBERY: 0.1}
    walk |= {ARTICLE: 0.7, THEFT: 0.7}
    return Judgment(charges, ("264",), Rationale((), (SENTENCE,)), walk=tuple(walk.items()))


def test_the_walk_is_a_tree_with_the_probabilities_of_the_charges() -> None:
    lines = printed(walk_tree(judgment(), LAW)).splitlines()
    assert [line.strip("│├└─ ") for line in lines] == [
        "中华人民共和国刑法",
        "2 分则",
        "5 侵犯财产罪",
        "263",
        "抢劫罪  20.0%",
        "264",
        "盗窃罪  97.0%",
    ]
    indents = [len(line) - len(line.lstrip("│├└─ ")) for line in lines]
    assert indents == [0, 4, 8, 12, 16, 12, 16]


def test_without_charges_the_walk_shows_shares_and_the_sum_of_the_others() -> None:
    walk = {PART: 1.0, "cn-criminal/2/4": 0.05, CHAPTER: 0.9, ARTICLE: 0.7}
    lines = printed(walk_tree(Judgment((), (), Rationale((), ()), walk=tuple(walk.items())), LAW)).splitlines()
    assert [line.strip("│├└─ ") for line in lines] == [
        "中华人民共和国刑法",
        "2 分则  100.0%",
        "4 侵犯公民人身权利、民主权利罪  5.0%",
        "others  5.0%",
        "5 侵犯财产罪  90.0%",
        "264  70.0%",
        "others  70.0%",
        "others  20.0%",
        "others  5.0%",
    ]


def test_a_judgment_shows_charges_evidence_and_articles() -> None:
    shown = printed(judgment_view(judgment(), LAW))
    assert "applies   盗窃罪  probability 0.970  almost certain" in shown
    assert "          抢劫罪  probability 0.200  possible" in shown
    assert "翻墙进入商店， [2J拿走现金。" in shown  # no control character of a text reaches the terminal
    assert "\x1b" not in shown
    assert "articles  264" in shown


def test_a_text_that_cannot_be_judged_shows_only_the_note() -> None:
    assert printed(judgment_view(Judgment((), (), Rationale((), ()), TOO_SHORT), LAW)) == f"{TOO_SHORT.text}\n"


def test_the_repr_of_a_judgment_shows_charges_articles_and_note() -> None:
    assert repr(judgment()) == "Judgment(charges=[盗窃罪 0.97, 抢劫罪 0.20, 行贿罪 0.01], articles=['264'])"
    assert repr(Judgment((), (), Rationale((), ()), TOO_SHORT)) == "Judgment(charges=[], articles=[], note=too_short)"


def hit(explanation: Explanation | None) -> Hit:
    document = Document("d1", title="张某盗窃案", charges=("盗窃罪",))
    return Hit(1, 2.5, document, (LAW.path(LAW[THEFT]),), explanation)


def test_a_hit_shows_the_probability_of_every_step_that_was_not_certain() -> None:
    path = (Step(PART, 1.0), Step(CHAPTER, 0.56), Step(ARTICLE, 0.65), Step(THEFT, 1.0))
    why = Explanation(-2.0, 0.25, 4.25, (path,), (("现金", 2.1), ("翻墙", 1.0)), (SENTENCE,))
    shown = printed(hits_text([hit(why)]))
    assert "中华人民共和国刑法 › 2 分则 › 5 侵犯财产罪 56% › 264 65% › 盗窃罪\n" in shown
    assert "charge -2.00, content +0.25, words +4.25 (现金 翻墙)" in shown
    assert "盗窃罪: 翻墙进入商店， [2J拿走现金。" in shown
    assert len(shown.splitlines()) == 4


def test_a_generated_id_ends_at_the_document() -> None:
    path = (Step(PART, 1.0), Step(CHAPTER, 0.5), Step(ARTICLE, 1.0), Step(THEFT, 1.0), Step("d1", 0.04))
    assert "› 盗窃罪 › [d1] 4%\n" in printed(hits_text([hit(Explanation(-0.7, -3.2, 0.0, (path,)))]))


@pytest.mark.parametrize("explanation", [None, Explanation(0.0, 0.0, 2.5, shared=(("现金", 2.5),))])
def test_without_a_walk_a_hit_shows_only_its_places(explanation: Explanation | None) -> None:
    shown = printed(hits_text([hit(explanation)]))
    assert "中华人民共和国刑法 › 2 分则 › 5 侵犯财产罪 › 264 › 盗窃罪\n" in shown
    assert len(shown.splitlines()) == 2


def test_the_quality_of_judgments_is_a_table_with_intervals() -> None:
    one = JudgedQuery(frozenset({"盗窃罪"}), {"盗窃罪": 0.75})
    two = JudgedQuery(frozenset({"盗窃罪", "诈骗罪"}), {"盗窃罪": 0.75, "诈骗罪": 0.75})
    shown = printed(judgment_quality_table(quality_by_charges([one, two])))
    assert "several charges" in shown
    assert "[0.250, 0.250]" in shown  # the calibration error, whichever of the two is drawn


def test_a_reliability_table_shows_probabilities_beside_what_came_true() -> None:
    pairs = [(0.9, True), (0.9, False)] * 5
    shown = printed(reliability_table("10 charges", pairs, Interval(0.4, 0.1, 0.6)))
    assert "10 charges: calibration error 0.400 [0.100, 0.600]" in " ".join(shown.split())
    assert shown.count("0.900") == 10
    assert shown.count("0.500") == 10


def test_without_a_terminal_progress_is_a_line_per_half_minute(capsys: pytest.CaptureFixture[str]) -> None:
    seconds = iter([0.0, 1.0, 31.0, 45.0, 61.5])
    move = progress_lines("Training", clock=lambda: next(seconds))
    for done in (1, 2, 3, 4):
        move(done, 1000, "epoch 1")
    assert capsys.readouterr().err == "Training: 2 of 1,000, epoch 1\nTraining: 4 of 1,000, epoch 1\n"


def test_short_work_without_a_terminal_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar("Reading") as progress:
        progress(1, 1)
    assert capsys.readouterr().err == ""
