import pytest

from lexgear.corpus.extraction.penalties import KINDS, heaviest, read_penalty
from lexgear.corpus.records import Penalty


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("判处有期徒刑十年六个月", Penalty("imprisonment", 126)),
        ("判处有期徒刑一年零三个月", Penalty("imprisonment", 15)),
        ("判处有期徒刑３年６个月", Penalty("imprisonment", 42)),
        ("判处有期徒刑1年半", Penalty("imprisonment", 18)),
        ("判处有期徒刑二年，宣告缓刑二年六个月", Penalty("imprisonment", 24, 30)),
        ("判处拘役四个月十五天，并处罚金人民币50，000元", Penalty("detention", 4, fine=50_000)),
        ("判处管制一年，罚金1.5万元", Penalty("control", 12, fine=15_000)),
        ("判处有期徒刑十五年，并处罚金人民币壹万伍仟元", Penalty("imprisonment", 180, fine=15_000)),
        ("单处罚金3万5千元", Penalty("fine", fine=35_000)),
        ("判处拘役二个月，并处罚金 人民币3000元", Penalty("detention", 2, fine=3_000)),
        ("判处拘役二个月，并处罚金人民币三万。", Penalty("detention", 2, fine=30_000)),
        ("判处拘役二个月，并处罚3000元", Penalty("detention", 2, fine=3_000)),
        ("判处有期一年三个月，缓刑二年", Penalty("imprisonment", 15, 24)),
        ("判处无期徒刑，并处没收个人全部财产", Penalty("life")),
        ("判处死刑，缓期二年执行，剥夺政治权利终身", Penalty("death-suspended")),
        ("判处死刑，剥夺政治权利终身", Penalty("death")),
        ("免于刑事处罚", Penalty("exempt")),
        ("予以驱逐出境", None),
        ("判处有期徒刑" + "9" * 5000 + "年", None),
        ("单处罚金" + "9" * 20 + "元", None),
    ],
)
def test_sentences_in_words_and_figures(text: str, expected: Penalty | None) -> None:
    assert read_penalty(text) == expected


def test_the_heaviest_goes_by_kind_then_length_then_fine() -> None:
    kinds = [Penalty(kind) for kind in reversed(KINDS)]
    assert heaviest([None, *kinds]) == Penalty("death")
    assert heaviest([Penalty("imprisonment", 12, fine=9), Penalty("imprisonment", 13)]) == Penalty("imprisonment", 13)
    assert heaviest([Penalty("detention", 6), Penalty("imprisonment", 6, 12)]) == Penalty("imprisonment", 6, 12)
    assert heaviest([Penalty("imprisonment", 6, 12), Penalty("imprisonment", 6)]) == Penalty("imprisonment", 6)
    assert heaviest([]) is None
