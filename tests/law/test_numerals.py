import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexgear.law.numerals import ARTICLE, article_number, chinese_number


def written(number: int) -> str:
    """Second implementation, from number to numeral."""
    digits, text, zero = "零一二三四五六七八九", "", False
    for unit, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, number = divmod(number, unit)
        if digit:
            text += ("零" if zero and text else "") + digits[digit] + sign
        zero = not digit
    return text


@given(st.integers(1, 9999))
def test_every_number_up_to_thousands_is_read(number: int) -> None:
    assert chinese_number(written(number)) == number


@given(st.integers(1, 9999), st.integers(0, 9999), st.integers(0, 9999))
def test_every_amount_with_its_larger_units_is_read(high: int, middle: int, low: int) -> None:
    text = f"{written(high)}亿" + (f"零{written(middle)}万" if middle else "") + (f"零{written(low)}" if low else "")
    assert chinese_number(text) == high * 10**8 + middle * 10**4 + low


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *[("十", 10), ("十五", 15), ("二十", 20), ("二〇一八", 2018), ("１２", 12), ("一万二千", 12_000)],
        *[("三亿十万", 300_100_000), ("一亿零五百万", 105_000_000), ("1亿2千万", 120_000_000), ("万", 10_000)],
        *[("一万亿", 10**12), ("一万二千亿", 12 * 10**11), ("一万万", 10**8), ("一亿二千万零三", 120_000_003)],
        *[("伍拾万", 500_000), ("贰仟", 2000), ("一亿", 100_000_000), ("三百零六", 306), ("0", 0)],
    ],
)
def test_judgments_write_numbers_in_many_ways(text: str, value: int) -> None:
    assert chinese_number(text) == value


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="not a Chinese number"):
        chinese_number("三只")


def test_inserted_articles_keep_their_place() -> None:
    found = [article_number(match) for match in ARTICLE.finditer("第一百三十三条之一、第262条之二，第十条")]
    assert found == ["133-1", "262-2", "10"]
