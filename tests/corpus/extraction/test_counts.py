import pytest

from lexgear.corpus.extraction.judgments import read_judgment
from lexgear.corpus.extraction.verdicts import read_verdict
from lexgear.corpus.records import Count, Defendant, Penalty

DRUGS = "走私、贩卖、运输、制造毒品罪"
PROCEEDS = "掩饰、隐瞒犯罪所得、犯罪所得收益罪"


def months(length: int, probation: int | None = None, fine: int | None = None) -> Penalty:
    return Penalty("imprisonment", length, probation, fine)


def counts(verdict: str) -> dict[str, dict[str, Penalty | None]]:
    return {
        defendant.name: {count.charge: count.penalty for count in defendant.counts}
        for defendant in read_verdict(verdict)
    }


def test_each_charge_has_its_own_penalty_and_the_combined_one_stands_apart() -> None:
    verdict = (
        "被告人叶舟犯盗窃罪，判处有期徒刑一年；犯抢劫罪，判处有期徒刑三年一个月，数罪并罚，决定执行有期徒刑三年七个月。"
    )
    assert read_verdict(verdict) == (
        Defendant(
            "叶舟",
            ("盗窃罪", "抢劫罪"),
            months(43),
            (Count("盗窃罪", months(12)), Count("抢劫罪", months(37))),
        ),
    )


@pytest.mark.parametrize("total", ["决定执行四年零四个月", "合并决定执行有四年四个月", "决定执行有期四年四个月"])
def test_a_combined_term_may_leave_out_its_kind(total: str) -> None:
    verdict = f"被告人叶舟犯盗窃罪，判处有期徒刑二年；犯赌博罪，判处有期徒刑三年，数罪并罚，{total}，并处罚金一万元。"
    assert [defendant.penalty for defendant in read_verdict(verdict)] == [months(52, fine=10_000)]


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        pytest.param(
            "被告人叶舟犯贩卖毒品罪，判处有期徒刑七年七个月，并处罚金人民币三万三千元；犯容留他人吸毒罪，判处拘役五个月，并处"
            "罚金2100元；决定执行有期徒刑七年九个月，并处罚金人民币三万五千一百元。",
            {DRUGS: months(91, fine=33_000), "容留他人吸毒罪": Penalty("detention", 5, fine=2100)},
            id="fines and 拘役",
        ),
        pytest.param(
            "被告人叶舟犯制造毒品罪，判处死刑，缓期二年执行，剥夺政治权利终身，并处没收个人全部财产；犯绑架罪，"
            "判处有期徒刑六年七个月，并处罚金一万一千元；决定执行死刑，缓期二年执行，剥夺政治权利终身，并处没收个人全部财产。",
            {DRUGS: Penalty("death-suspended"), "绑架罪": months(79, fine=11_000)},
            id="死缓 and confiscation of all property",
        ),
        pytest.param(
            "被告人叶舟犯受贿罪，判处无期徒刑，剥夺政治权利终身，并处没收个人全部财产，犯贪污罪，判处有期徒刑十年七个月，"
            "并处没收个人财产人民币四十三万元，数罪并罚，决定执行无期徒刑。",
            {"受贿罪": Penalty("life"), "贪污罪": months(127)},
            id="无期 and confiscation of an amount, which is no fine",
        ),
        pytest.param(
            "被告人叶舟犯故意杀人罪，判处死刑，剥夺政治权利终身；犯决水罪，判处有期徒刑五年七个月。决定执行死刑，剥夺政治权利终身。",
            {"故意杀人罪": Penalty("death"), "决水罪": months(67)},
            id="死刑",
        ),
        pytest.param(
            "被告人叶舟犯非法侵入住宅罪，判处管制七个月；犯寻衅滋事罪，判处有期徒刑一年一个月；数罪并罚，决定执行有期徒刑一年一个月，"
            "管制七个月。",
            {"非法侵入住宅罪": Penalty("control", 7), "寻衅滋事罪": months(13)},
            id="管制",
        ),
        pytest.param(
            "被告人叶舟犯行贿罪，判处有期徒刑一年一个月；犯串通投标罪，免予刑事处罚，决定执行有期徒刑一年一个月，缓刑一年七个月。",
            {"行贿罪": months(13), "串通投标罪": Penalty("exempt")},
            id="the combined term alone is suspended",
        ),
        pytest.param(
            "被告人叶舟犯诈骗罪、伪造公司印章罪，以诈骗罪判处有期徒刑三年，缓刑四年；以伪造公司印章罪判处拘役四个月，缓刑六个月；"
            "合并执行有期徒刑三年，缓刑四年。",
            {
                "诈骗罪": months(36, 48),
                "伪造公司、企业、事业单位、人民团体印章罪": Penalty("detention", 4, 6),
            },
            id="以…罪判处, each suspended",
        ),
        pytest.param(
            "被告人叶舟犯危险驾驶罪，判处拘役三个月，并处罚金四千六百元；撤销缓刑，与前罪判处的有期徒刑二年七个月并罚，"
            "决定执行有期徒刑二年七个月，并处罚金四千六百元。",
            {"危险驾驶罪": Penalty("detention", 3, fine=4600)},
            id="one charge and an earlier sentence",
        ),
        pytest.param(
            "被告人叶舟犯盗窃罪，判处有期徒刑七个月，原被判处有期徒刑一年一个月，缓刑一年四个月，并处罚金二万一千元，决定撤销缓刑，"
            "执行有期徒刑一年五个月，并处罚金二万一千元。",
            {"盗窃罪": months(7)},
            id="probation and fine of the earlier sentence",
        ),
        pytest.param(
            "被告人叶舟犯盗窃罪，判处有期徒刑二年，并罚金人民币五千元。", {}, id="并罚金 is a fine and combines nothing"
        ),
        pytest.param("被告人叶舟犯盗窃罪，判处有期徒刑二年，缓刑三年。", {}, id="one charge needs no count"),
        pytest.param(
            "被告人叶舟犯滥用职权罪、受贿罪，数罪并罚，决定执行有期徒刑四年。", {}, id="only the combined penalty"
        ),
        pytest.param(
            "被告人叶舟犯职务侵占罪，判处有期徒刑四年；犯危险驾驶罪、妨害公务罪，判处拘役四个月。决定执行有期徒刑四年。",
            {"职务侵占罪": months(48), "危险驾驶罪": None, "妨害公务罪": None},
            id="one penalty for two of three charges",
        ),
        pytest.param(
            "被告人叶舟犯故意伤害罪，判处有期徒刑一年一个月；犯故意伤害罪，判处有期徒刑二年二个月；决定执行有期徒刑二年九个月。",
            {"故意伤害罪": None},
            id="one charge twice",
        ),
        pytest.param(
            "被告人叶舟犯盗窃罪，数罪并罚，决定执行有期徒刑四年。",
            {"盗窃罪": None},
            id="one charge, combined penalty alone",
        ),
    ],
)
def test_the_penalties_of_counts(verdict: str, expected: dict[str, Penalty | None]) -> None:
    assert counts(verdict) == {"叶舟": expected}


def test_several_defendants_and_a_company_have_counts_of_their_own() -> None:
    verdict = (
        "一、被告单位清河商贸有限公司犯单位行贿罪，判处罚金十一万元；犯逃税罪，判处罚金人民币五万元，决定执行罚金十六万元；"
        " 二、被告人方圆犯单位行贿罪，判处拘役三个月；犯逃税罪，判处有期徒刑一年二个月，并处罚金一万三千元，决定执行"
        "有期徒刑一年二个月，缓刑二年，并处罚金一万三千元；"
        " 三、被告人苏木、钟声均犯盗窃罪，各判处有期徒刑八个月；"
        " 四、被告人苏木犯掩饰、隐瞒犯罪所得罪，判处有期徒刑六个月，与第三项并罚，决定执行有期徒刑一年。"
    )
    assert counts(verdict) == {
        "清河商贸有限公司": {"单位行贿罪": Penalty("fine", fine=110_000), "逃税罪": Penalty("fine", fine=50_000)},
        "方圆": {"单位行贿罪": Penalty("detention", 3), "逃税罪": months(14, fine=13_000)},
        "苏木": {"盗窃罪": months(8), PROCEEDS: months(6)},
        "钟声": {},
    }


def test_an_appeal_counts_what_it_decides_anew() -> None:
    verdict = (
        "一、维持甲县人民法院（2018）刑初1号刑事判决中对上诉人叶一舟所犯受贿罪的定罪量刑部分；"
        " 二、撤销该判决中对上诉人叶一舟犯贪污罪的量刑部分及决定执行的刑罚，即犯贪污罪，判处有期徒刑六年；"
        " 三、上诉人叶一舟犯贪污罪，判处有期徒刑三年；与原判受贿罪的刑罚并罚，决定执行有期徒刑四年。 本判决为终审判决。"
    )
    assert counts(verdict) == {"叶一舟": {"受贿罪": None, "贪污罪": months(36)}}


def test_an_upheld_verdict_is_read_with_its_counts() -> None:
    full = (
        "上诉人叶舟。甲县人民法院作出刑事判决：被告人叶舟犯盗窃罪，判处有期徒刑一年；犯诈骗罪，判处有期徒刑二年一个月，"
        "决定执行有期徒刑二年七个月。宣判后，叶舟不服，提出上诉。本院认为，原判正确。裁定如下：驳回上诉，维持原判。"
    )
    (defendant,) = read_judgment(full=full).defendants
    assert defendant.counts == (Count("盗窃罪", months(12)), Count("诈骗罪", months(25)))
    assert defendant.penalty == months(31)


@pytest.mark.parametrize("name", ["某市化工研究所", "李长所", "叶某", "叶一舟"])
def test_a_name_ends_before_what_somebody_has_committed(name: str) -> None:
    written = name if name.endswith("所") else f"{name}所"
    assert [defendant.name for defendant in read_verdict(f"被告人{written}犯盗窃罪，判处罚金一万元。")] == [name]
