from lexgear.corpus.penalties_by_charge import penalties_by_charge
from lexgear.corpus.records import Count, Defendant, Document, Penalty


def months(length: int) -> Penalty:
    return Penalty("imprisonment", length)


def test_combined_penalties_are_left_out_and_the_heaviest_defendant_counts() -> None:
    both = Defendant("甲", ("盗窃罪", "抢劫罪"), months(42), (Count("盗窃罪", months(12)), Count("抢劫罪", months(36))))
    document = Document(
        "1",
        charges=("盗窃罪", "抢劫罪"),
        defendants=(both, Defendant("乙", ("盗窃罪",), months(18))),
        penalty=months(42),
    )
    assert penalties_by_charge(document) == (Count("盗窃罪", months(18)), Count("抢劫罪", months(36)))


def test_a_document_without_counts_knows_the_penalty_of_its_only_charge() -> None:
    one = Document("1", charges=("盗窃罪",), defendants=(Defendant("甲"), Defendant("乙")), penalty=months(12))
    assert penalties_by_charge(one) == (Count("盗窃罪", months(12)),)
    several = (Defendant("甲", ("盗窃罪", "抢劫罪"), months(42)),)
    two = Document("2", charges=("盗窃罪", "抢劫罪"), defendants=several, penalty=months(42))
    assert penalties_by_charge(two) == (Count("盗窃罪"), Count("抢劫罪"))


def test_a_penalty_combined_with_an_earlier_one_is_not_that_of_the_charge() -> None:
    added = Defendant("甲", ("盗窃罪",), months(30), (Count("盗窃罪"),))
    document = Document("1", charges=("盗窃罪",), defendants=(added,), penalty=months(30))
    assert penalties_by_charge(document) == (Count("盗窃罪"),)
