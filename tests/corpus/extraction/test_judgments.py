from functools import cache

import pytest

from lexgear.corpus.extraction.judgments import ExtractedJudgment, read_judgment
from lexgear.corpus.records import Citation, Defendant, Penalty
from lexgear.files import read_jsonl
from shared_data import SHARED, needs_shared

FULL = (
    "江西省南昌市青山湖区人民法院 刑事判决书 （2018）赣0199刑初8071号 公诉机关南昌市青山湖区人民检察院。 "
    "被告人白木，男，曾因犯抢劫罪于2010年被判处有期徒刑三年。 检察院指控被告人白木犯盗窃罪、抢夺罪。 "
    "本院认为，被告人白木秘密窃取他人财物，其行为已构成盗窃罪。指控其犯抢夺罪，证据不足，该指控不成立。"
    "依照《中华人民共和国刑法》第二百六十四条、第六十七条第三款之规定，判决如下： "
    "一、被告人白木犯盗窃罪，判处拘役四个月，并处罚金人民币一千一百元（刑期从判决执行之日起计算）。 "
    "二、继续追缴赃款。 如不服本判决，可直接向江西省南昌市中级人民法院提出上诉。 "
    "审判长甲某 人民陪审员乙某 二〇一八年六月十二日 书记员丙某 附：相关法律条文 第二百六十四条"
)


def test_the_full_text_alone_gives_everything() -> None:
    penalty = Penalty("detention", 4, fine=1100)
    assert read_judgment(full=FULL) == ExtractedJudgment(
        charges=("盗窃罪",),
        defendants=(Defendant("白木", ("盗窃罪",), penalty),),
        articles=(Citation("刑法", "264"), Citation("刑法", "67")),
        penalty=penalty,
        court="江西省南昌市青山湖区人民法院",
        level="basic",
        region="江西",
        date="2018-06-12",
        number="（2018）赣0199刑初8071号",
    )


def test_the_parts_given_go_before_those_found() -> None:
    judgment = read_judgment(full=FULL, verdict="被告人白木犯抢夺罪，判处有期徒刑一年。")
    assert judgment.charges == ("抢夺罪",)
    assert judgment.penalty == Penalty("imprisonment", 12)
    assert judgment.articles[0] == Citation("刑法", "264")


def test_a_lone_surrogate_spoils_nothing_else() -> None:
    assert read_judgment(verdict="被告人白\ud800木犯盗窃罪，判处拘役一个月。\udfff").charges == ("盗窃罪",)


def test_nothing_in_nothing_out() -> None:
    assert read_judgment() == ExtractedJudgment((), (), (), None, "", "", "", "", "")


ORIGINAL = (
    "上诉人（原审被告人）白木，男。原审被告人江河，男。"
    "甲县人民法院审理白木、江河一案，作出（2018）刑初1号刑事判决。原审认为二人构成犯罪，判决："
    "一、被告人白木犯盗窃罪，判处有期徒刑二年；二、被告人江河犯窝藏罪，判处拘役三个月。 宣判后，白木不服，提出上诉。 "
)


def test_a_ruling_that_upholds_keeps_the_original_findings() -> None:
    judgment = read_judgment(full=ORIGINAL + "本院认为，原判正确，裁定如下： 驳回上诉，维持原判。")
    assert judgment.charges == ("盗窃罪", "窝藏、包庇罪")
    assert judgment.penalty == Penalty("imprisonment", 24)


def test_a_ruling_that_changes_one_sentence_keeps_the_rest() -> None:
    verdict = "一、维持第二项； 二、撤销第一项，即被告人白木犯盗窃罪； 三、上诉人白木犯抢夺罪，判处有期徒刑一年。"
    judgment = read_judgment(full=ORIGINAL + f"本院认为，部分不当，判决如下： {verdict}")
    assert judgment.charges == ("抢夺罪", "窝藏、包庇罪")
    assert judgment.penalty == Penalty("imprisonment", 12)


def test_an_original_sentence_with_the_charge_first_is_read() -> None:
    told = (
        "原审被告人白木，男。甲县人民法院作出刑事判决，以盗窃罪判处被告人白木有期徒刑七个月，并处罚金一千元。"
        " 检察院抗诉称量刑过轻。 "
    )
    judgment = read_judgment(full=told + "本院认为，裁定如下： 驳回抗诉，维持原判。")
    assert judgment.defendants == (Defendant("白木", ("盗窃罪",), Penalty("imprisonment", 7, fine=1000)),)


def test_convictions_of_people_who_are_not_parties_are_not_upheld() -> None:
    witness = "经查，证人石大川的证言属实，认定石大川犯受贿罪，判处有期徒刑九年。 "
    judgment = read_judgment(full=ORIGINAL + witness + "本院认为，原判正确，裁定如下： 驳回上诉，维持原判。")
    assert judgment.charges == ("盗窃罪", "窝藏、包庇罪")


def test_an_acquittal_hangs_under_the_charge_accused() -> None:
    told = "甲县人民检察院以起诉书指控被告人白木犯合同诈骗罪，向本院提起公诉。 "
    judgment = read_judgment(full=told + "本院认为，证据不足，判决如下： 被告人白木无罪。")
    assert judgment.charges == ("合同诈骗罪",)
    assert judgment.defendants == (Defendant("白木"),)
    assert judgment.penalty is None


def test_without_a_finding_the_reasoning_speaks_but_only_in_the_courts_own_words() -> None:
    reasoning = (
        "本院认为，被告人白木的行为已构成故意杀人罪，系不负刑事责任的精神病人。"
        "辩护人提出的构成故意伤害罪的意见不予采纳。其行为不构成抢劫罪。公诉机关指控其犯放火罪不当。"
    )
    judgment = read_judgment(reasoning=reasoning, verdict="对被申请人白木予以强制医疗。")
    assert judgment.charges == ("故意杀人罪",)


def test_a_title_helps_where_the_text_is_silent() -> None:
    assert read_judgment(title="江河交通肇事一案", verdict="准许撤回起诉。").charges == ("交通肇事罪",)
    assert read_judgment(title="盗窃罪、诈骗罪一审刑事判决书").charges == ("盗窃罪", "诈骗罪")


def test_facts_that_accuse_are_the_last_resort() -> None:
    assert read_judgment(fact="自诉人甲某指控被告人乙某犯诽谤罪。", verdict="准许撤诉。").charges == ("诽谤罪",)


@pytest.mark.parametrize(
    "unit",
    ["犯", "《", "（", "被告人", "撤销“", "判决：", "犯盗窃罪", "；犯某甲罪，判处", "一、", "审判员", "\ud800", "字"],
)
def test_a_long_text_of_any_kind_is_read_to_the_end(unit: str) -> None:
    """A pattern that backtracks would never come to the end of 100,000 characters."""
    text = unit * (100_000 // len(unit))
    found = read_judgment(full=text, title=text[:1000], fact=text, reasoning=text, verdict=f"{text}维持原判")
    assert found.charges == (("盗窃罪",) if "盗窃罪" in unit else ())


def lecard(row: dict[str, str]) -> ExtractedJudgment:
    parts = {"full": "qw", "title": "writName", "fact": "ajjbqk", "reasoning": "cpfxgc", "verdict": "pjjg"}
    return read_judgment(**{part: row.get(field) or "" for part, field in parts.items()})


@cache
def every_fortieth() -> dict[str, ExtractedJudgment]:
    rows = (row for _, row in read_jsonl(SHARED / "lecard" / "cases.jsonl.xz"))
    wanted = {"11882", "37651", "5830", "24465", "8772"}
    return {row["id"]: lecard(row) for n, row in enumerate(rows) if n % 40 == 0 or row["id"] in wanted}


@needs_shared
def test_nearly_all_real_judgments_give_every_field() -> None:
    judgments = every_fortieth().values()
    for field, share in {"charges": 0.99, "defendants": 0.98, "articles": 0.98, "penalty": 0.96, "court": 0.99}.items():
        assert sum(bool(getattr(one, field)) for one in judgments) >= share * len(judgments), field
    for field in ("region", "date", "number"):
        assert sum(bool(getattr(one, field)) for one in judgments) >= 0.98 * len(judgments), field


@needs_shared
@pytest.mark.parametrize(
    ("case", "charges", "penalty", "level", "date"),
    [
        ("11882", ("贪污罪",), Penalty("imprisonment", 120), "basic", "2014-07-29"),
        (
            "37651",
            ("生产、销售假药罪", "非法经营罪"),
            Penalty("imprisonment", 156, fine=7_000_000),
            "high",
            "2017-10-17",
        ),
        (
            "24465",
            ("职务侵占罪", "信用卡诈骗罪", "诈骗罪"),
            Penalty("imprisonment", 228, fine=150_000),
            "basic",
            "2014-06-10",
        ),
        ("8772", ("走私、贩卖、运输、制造毒品罪",), Penalty("life"), "intermediate", "2018-12-25"),
        ("5830", ("走私、贩卖、运输、制造毒品罪",), None, "intermediate", "2017-08-01"),
    ],
)
def test_real_judgments_read_by_hand(
    case: str, charges: tuple[str, ...], penalty: Penalty | None, level: str, date: str
) -> None:
    judgment = every_fortieth()[case]
    assert (judgment.charges, judgment.penalty) == (charges, penalty)
    assert (judgment.level, judgment.date) == (level, date)
