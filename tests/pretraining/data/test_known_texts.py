"""Training texts are recognised by fingerprints that do not depend on names."""

import pytest

from lexgear.pretraining.data.known_texts import nameless_fingerprint
from lexgear.privacy.neutral import neutralise

THEFT = "被告人{0}趁被害人{1}不在，撬开门锁偷走货款1200元，藏匿于租屋内。因害怕被抓，{0}逃往外地，后被查获并退赔损失。"
TENANCY = "Bonjour, je m'appelle {0} et mon propriétaire refuse de rendre la garantie locative après notre départ."


@pytest.mark.parametrize(("story", "names"), [(THEFT, ("向阳", "时光华")), (TENANCY, ("Jean-Pierre de Smet",))])
def test_names_do_not_change_the_fingerprint(story: str, names: tuple[str, ...]) -> None:
    usual = story.format("王建国", "李秀英") if story is THEFT else story.format("Marie Dupont")
    other = story.format(*names)
    language = "zh" if story is THEFT else "fr"
    told = (usual, other, neutralise(usual, language).text, neutralise(other, language).text)
    assert len({nameless_fingerprint(text) for text in told}) == 1


def test_amounts_and_acts_change_the_fingerprint() -> None:
    text = THEFT.format("王建国", "李秀英")
    others = (text.replace("1200", "1300"), text.replace("偷走", "骗走"), text[:-10])
    assert len({nameless_fingerprint(told) for told in (text, *others)}) == 4


def test_short_texts_are_told_apart_by_all_their_characters() -> None:
    assert nameless_fingerprint("离婚后孩子归谁？") == nameless_fingerprint("离婚后孩子归谁")
    assert nameless_fingerprint("离婚后孩子归谁？") != nameless_fingerprint("离婚后房子归谁？")
