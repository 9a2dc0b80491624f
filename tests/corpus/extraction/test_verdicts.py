import pytest

from lexgear.corpus.extraction.verdicts import read_verdict
from lexgear.corpus.records import Count, Defendant, Penalty

DRUGS = "走私、贩卖、运输、制造毒品罪"
GUNS = "非法持有、私藏枪支、弹药罪"
PROCEEDS = "掩饰、隐瞒犯罪所得、犯罪所得收益罪"


def charges(verdict: str) -> dict[str, tuple[str, ...]]:
    return {defendant.name: defendant.charges for defendant in read_verdict(verdict)}


def test_one_defendant_one_charge() -> None:
    verdict = (
        "被告人田小苗犯盗窃罪，判处有期徒刑一年四个月，缓刑二年一个月，并处罚金人民币五千七百元。"
        "（缓刑考验期限，从判决确定之日起计算。罚金限判决生效后十日内缴纳。） 如不服本判决，可在十日内提出上诉。"
    )
    assert read_verdict(verdict) == (Defendant("田小苗", ("盗窃罪",), Penalty("imprisonment", 16, 25, 5700)),)


def test_several_charges_end_in_the_sentence_to_be_served() -> None:
    verdict = (
        "一、被告人石大川犯诈骗罪，判处有期徒刑三年，并处罚金一万三千元；犯盗窃罪，判处有期徒刑十一个月，并处罚金二千四百元，"
        "数罪并罚，决定执行有期徒刑三年五个月，并处罚金一万五千四百元（刑期从判决执行之日起计算）。"
        " 二、责令被告人石大川退赔。"
    )
    (defendant,) = read_verdict(verdict)
    assert (defendant.name, defendant.charges) == ("石大川", ("诈骗罪", "盗窃罪"))
    assert defendant.penalty == Penalty("imprisonment", 41, None, 15400)


def test_several_defendants_and_a_company() -> None:
    verdict = (
        "一、被告单位青禾纸业有限公司犯单位行贿罪，判处罚金二十三万元；"
        " 二、被告人白木、江河均犯行贿罪，各判处拘役五个月；"
        " 三、被告人林芳和犯包庇罪，免予刑事处罚。"
    )
    assert read_verdict(verdict) == (
        Defendant("青禾纸业有限公司", ("单位行贿罪",), Penalty("fine", fine=230_000)),
        Defendant("白木", ("行贿罪",), Penalty("detention", 5)),
        Defendant("江河", ("行贿罪",), Penalty("detention", 5)),
        Defendant("林芳和", ("窝藏、包庇罪",), Penalty("exempt")),
    )


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        ("被告人云朵犯贩卖毒品、容留他人吸毒罪，判处有期徒刑二年。", (DRUGS, "容留他人吸毒罪")),
        ("被告人云朵犯故意伤害（致人死亡）罪，判处无期徒刑。", ("故意伤害罪",)),
        ("被告人云朵犯抢劫（未遂），判处有期徒刑一年。", ("抢劫罪",)),
        ("被告人云朵犯走私、运输、贩卖毒品罪，判处有期徒刑二年。", (DRUGS,)),
        ("被告人云朵犯掩饰隐瞒犯罪所得罪，判处拘役一个月。", (PROCEEDS,)),
        ("被告人云朵犯污染坏境罪，判处拘役一个月。", ("污染环境罪",)),
        ("被告人云朵犯罪诈骗罪，判处拘役一个月。", ("诈骗罪",)),
        ("被告人云朵贪污罪，判处拘役一个月。", ("贪污罪",)),
        ("被告人云朵犯组织他人偷越国(边)境罪，判处拘役一个月。", ("组织他人偷越国（边）境罪",)),
        ("被告人云朵犯侵犯公民个人信息罪，判处拘役一个月。", ("侵犯公民个人信息罪",)),
        ("被告人云朵犯滥用职权罪、受贿罪和诈骗罪，判处拘役一个月。", ("滥用职权罪", "受贿罪", "诈骗罪")),
    ],
)
def test_charges_in_the_many_ways_courts_write_them(verdict: str, expected: tuple[str, ...]) -> None:
    assert charges(verdict) == {"云朵": expected}


@pytest.mark.parametrize(
    "added",
    [
        "与原犯抢劫罪判处有期徒刑二年并罚",
        "与前罪犯抢劫罪所判处的有期徒刑二年并罚",
        "与因犯抢劫罪被判处的有期徒刑二年并罚",
        "前犯抢劫罪被判处有期徒刑二年",
        "与甲县人民法院（2015）甲刑初字第1号刑事判决犯抢劫罪判处的有期徒刑二年合并",
        "其犯抢劫罪（前罪），判处有期徒刑二年",
        "撤销甲县人民法院以抢劫罪判处被告人山石有期徒刑二年，缓刑三年的缓刑部分",
    ],
)
def test_an_earlier_conviction_is_only_added_up(added: str) -> None:
    verdict = f"被告人山石犯盗窃罪，判处有期徒刑一年；{added}，决定执行有期徒刑二年六个月。"
    own = Count("盗窃罪", Penalty("imprisonment", 12))
    assert read_verdict(verdict) == (Defendant("山石", ("盗窃罪",), Penalty("imprisonment", 30), (own,)),)


def test_a_name_that_ends_like_an_earlier_conviction_is_still_a_name() -> None:
    assert charges("被告人李原犯盗窃罪，判处拘役一个月；被告人张正未犯诈骗罪，判处拘役一个月。") == {
        "李原": ("盗窃罪",),
        "张正未": ("诈骗罪",),
    }


@pytest.mark.parametrize(
    "revoked",
    [
        "一、撤销甲县人民法院（2018）刑初1号刑事判决；",
        "一、撤销甲县人民法院（2018）刑初1号刑事判决第一项，即被告人山石犯抢劫罪，判处有期徒刑三年。犯诈骗罪，判处有期徒刑一年。",
        "一、撤销甲县人民法院（2018）刑初1号刑事判决，即“一、被告人山石犯抢劫罪，判处有期徒刑三年；二、被告人山石犯诈骗罪”；",
        "一、撤销甲县人民法院（2018）刑初1号刑事判决，即：一、被告人山石犯抢劫罪，判处有期徒刑三年；",
    ],
)
def test_what_is_revoked_is_not_found(revoked: str) -> None:
    verdict = f"{revoked} 二、上诉人（原审被告人）山石犯盗窃罪，判处有期徒刑一年。 本判决为终审判决。"
    assert read_verdict(verdict) == (Defendant("山石", ("盗窃罪",), Penalty("imprisonment", 12)),)


def test_what_is_upheld_is_found() -> None:
    verdict = (
        "一、维持甲县人民法院（2018）刑初1号刑事判决第一项，即被告人白木犯受贿罪，判处有期徒刑一年；"
        " 二、撤销该判决第二项，即被告人江河犯贪污罪，判处有期徒刑三年； 三、上诉人江河犯职务侵占罪，判处有期徒刑二年。"
    )
    assert charges(verdict) == {"白木": ("受贿罪",), "江河": ("职务侵占罪",)}


def test_the_acquitted_have_no_charge_and_refused_charges_do_not_count() -> None:
    verdict = (
        "一、被告人白木犯妨害作证罪，判处拘役六个月；"
        " 二、公诉机关指控被告人白木犯失火罪的证据不足，指控的犯罪不能成立；"
        " 三、被告人江河、田小苗无罪。"
    )
    assert read_verdict(verdict) == (
        Defendant("白木", ("妨害作证罪",), Penalty("detention", 6)),
        Defendant("江河"),
        Defendant("田小苗"),
    )
