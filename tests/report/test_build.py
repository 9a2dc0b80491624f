"""Building a report from an index and the entries of a user: complete, and nothing invented."""

import hashlib
from datetime import datetime
from importlib.metadata import version

import pytest
from pydantic import ValidationError

from lexgear.api import Index
from lexgear.errors import InputError
from lexgear.report.build import Searched, build_report
from lexgear.report.keypoints import KeyPoints
from lexgear.report.model import Entries, Report, Tier, Use
from report.conftest import AT, CONTROL, entries

FACTS = "被告人深夜翻墙进入一家商店，撬开收银柜拿走现金五千余元。"


def test_a_report_says_who_searched_when_where_and_how(index: Index, report: Report) -> None:
    search = report.search
    assert (search.by, search.at, search.platform) == ("王法官助理", AT, f"lexgear {version('lexgear')}")
    assert (search.k, search.found, search.filters) == (5, 5, ("date>=2015",))
    assert search.searched == len(index.stored.catalogue.select(["date>=2015"]))
    used, manifest = search.index, index.stored.directory / "manifest.json"
    assert used.sha256 == hashlib.sha256(manifest.read_bytes()).hexdigest()
    assert (used.name, used.ranker, used.documents) == ("index", "lexgear", len(index.stored.catalogue))


def test_results_are_those_of_the_search_and_cases_those_picked_in_the_users_order(
    index: Index, report: Report
) -> None:
    hits = index.search(report.search.text, 5, ["date>=2015"])
    assert [(one.id, one.rank, one.score) for one in report.results] == [
        (hit.document.id, hit.rank, hit.score) for hit in hits
    ]
    assert [case.rank for case in report.cases] == [2, 1, 3]
    assert [(case.use, case.remark) for case in report.cases] == [
        (Use.REFERRED, "手段相同"),
        (Use.FOLLOWED, None),
        (Use.DISTINGUISHED, "数额悬殊"),
    ]
    for case in report.cases:
        document = index.stored.catalogue.document(case.id)
        assert (case.title, case.court, case.number, case.date) == (
            *(document.title, document.court, document.number, document.date),
        )
        assert case.penalty is not None
        assert document.penalty is not None
        assert case.penalty.months == document.penalty.months


def test_a_search_already_made_is_not_made_again(index: Index) -> None:
    hits = index.search(FACTS, 2)
    asked = entries(FACTS, {"id": hits[0].document.id}, k=2, node="cn-criminal/2/5")
    made = build_report(index, asked, Searched(hits, 7), KeyPoints.of(index))
    assert (made.search.node, made.search.searched, made.search.found) == ("cn-criminal/2/5", 7, 2)
    with pytest.raises(InputError, match="place of the law"):
        build_report(index, asked)


def test_a_case_that_was_not_found_can_be_picked_and_has_no_rank(index: Index) -> None:
    other = next(
        name for name in index.stored.catalogue.ids() if name not in {h.document.id for h in index.search(FACTS, 3)}
    )
    [case] = build_report(index, entries(FACTS, {"id": other}, k=3)).cases
    assert (case.rank, case.score, case.use, case.remark) == (None, None, Use.OPEN, None)
    assert case.key_points


@pytest.mark.parametrize("name", ["nobody", "c0001 ", "' OR 1=1 --"])
def test_an_id_that_the_index_does_not_have_is_refused(index: Index, name: str) -> None:
    with pytest.raises(InputError, match="has no document"):
        build_report(index, entries(FACTS, {"id": name}))


def test_what_the_index_does_not_know_is_absent(bare: Report) -> None:
    [case] = bare.cases
    assert (case.title, case.court, case.level, case.number, case.date, case.penalty) == (None,) * 6
    assert (case.charges, case.articles, case.places) == ((), (), ())
    assert (case.tier, case.tier_reason) == (Tier.UNKNOWN, "court_missing")
    assert bare.search.by is None


def test_wrong_entries_are_refused_when_they_are_made() -> None:
    with pytest.raises(ValidationError, match="twice"):
        entries(FACTS, {"id": "a"}, {"id": "a"})
    with pytest.raises(ValidationError, match="timezone"):
        Entries.model_validate({"text": FACTS, "at": datetime(2026, 1, 1)})
    for wrong in (
        {"text": ""},
        {"k": 0},
        {"language": "de"},
        {"cases": [{"id": "a", "use": "obeyed"}]},
        {"extra": 1},
        {"by": "\ud800"},
    ):
        with pytest.raises(ValidationError):
            Entries.model_validate({"text": FACTS, "at": AT, **wrong})


def test_names_are_masked_in_what_was_searched_found_and_entered_unless_told_otherwise(hostile_index: Index) -> None:
    text = "被告人李明辉翻墙进入商店，拿走现金，被害人王芳报案。"
    said = {"title": "李明辉盗窃案", "disputes": ("李明辉是否自首？",)}
    masked = build_report(hostile_index, entries(text, {"id": "=1+1", "remark": "与李明辉案相同"}, pending=said))
    assert masked.search.text == "被告人李某翻墙进入商店，拿走现金，被害人王某报案。"
    assert (masked.pending.title, masked.pending.disputes) == ("李某盗窃案", ("李某是否自首？",))
    assert masked.cases[0].remark == "与李某案相同"
    everything = masked.model_dump_json()
    assert "审判长 李明辉" in everything  # a judge of the same name
    assert "李明辉" not in everything.replace("审判长 李明辉", "")
    assert "王芳" not in everything
    shown = build_report(hostile_index, entries(text, {"id": "=1+1"}, pending=said, masked=False))
    assert shown.search.text == text
    assert shown.pending.title == "李明辉盗窃案"
    assert shown.cases[0].title is not None
    assert shown.cases[0].title.startswith("李明辉盗窃")


def test_control_characters_do_no_harm(index: Index) -> None:
    made = build_report(index, entries(f"{FACTS}{CONTROL}", by=CONTROL))
    assert made.search.text.endswith(CONTROL)


def test_half_characters_of_a_document_become_a_sign_each(hostile: Report) -> None:
    [case, *_] = hostile.cases
    assert case.title is not None
    assert case.title.startswith("李某盗窃�<script>")
    assert "秘密窃取商店现金�，{ DDEAUTO" in "".join(quote.text for quote in case.key_points)
