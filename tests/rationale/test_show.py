import io

from rich.console import Console

from lexgear.rationale.extract import Extractor
from lexgear.rationale.lexicon import Lexicon
from lexgear.rationale.records import RationaleSettings
from lexgear.rationale.show import render

EXTRACTOR = Extractor(Lexicon.from_charges({"盗窃罪": "秘密窃取财物"}, "zh"), RationaleSettings(k3=1))


def styled(text: str) -> dict[str, list[str]]:
    shown = render(EXTRACTOR.query(text), text)
    found: dict[str, list[str]] = {}
    for span in shown.spans:
        found.setdefault(str(span.style), []).append(shown.plain[span.start : span.end])
    return found


def test_sentences_and_words_are_highlighted_where_they_stand() -> None:
    assert styled("天气晴朗。\r\n甲盗窃财物。") == {
        "not dim bold": ["甲盗窃财物。"],
        "not dim underline red": ["盗窃"],
        "not dim underline cyan": ["财物"],
    }


def test_control_characters_never_reach_the_terminal_nor_move_the_highlights() -> None:
    text = "天\x1b[31m气\x07\r\n\0甲盗窃。\ud800\x9b"
    assert styled(text)["not dim underline red"] == ["盗窃"]
    out = io.StringIO()
    Console(file=out, no_color=True, width=200).print(render(EXTRACTOR.query(text), text))
    assert "\x1b[31m" not in out.getvalue()
    assert not set("\x07\r\0\x9b\ud800") & set(out.getvalue())
