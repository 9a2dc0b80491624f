"""Lines of a case that contain the keywords of a search."""

from lexgear.corpus.records import Document
from lexgear.serve.comparing.keyword_places import keyword_lines


def test_a_line_that_contains_two_keywords_is_shown_once_in_upper_or_lower_case() -> None:
    document = Document("1", {"fact": "被告人在KTV包厢内贩卖毒品。次日，其在另一家ktv被抓获。"})
    assert keyword_lines(document, ["贩卖毒品", "ktv"]).lines == ["被告人在KTV包厢内贩卖毒品。"]
    assert keyword_lines(document, ["被抓获", "KTV"]).lines == ["次日，其在另一家ktv被抓获。"]
    assert keyword_lines(document, ["包厢", "次日"]).lines == [
        "被告人在KTV包厢内贩卖毒品。",
        "次日，其在另一家ktv被抓获。",
    ]


def test_a_line_of_a_long_sentence_begins_and_ends_at_a_pause() -> None:
    before = "被告人李某与被告人张某为讨要债务，" * 6
    after = "，并多次对被害人进行侮辱和殴打" * 6
    document = Document("1", {"fact": f"经审理查明{before}非法限制他人人身自由{after}。"})
    [line] = keyword_lines(document, ["人身自由"]).lines
    assert line.startswith("…被告人李某与被告人张某为讨要债务，")
    assert line.endswith("，并多次对被害人进行侮辱和殴打…")
