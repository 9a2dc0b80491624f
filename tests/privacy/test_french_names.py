"""French names are replaced after titles, after relations and by first names, whichever they are."""

import pytest

from lexgear.privacy.neutral import neutralise

NAMES = (
    ("Jean", "Dupont"),
    ("Jean-Pierre", "de Smet"),
    ("Anne-Sophie", "Van den Berghe"),
    ("Mohamed", "El Amrani"),
    ("Léa", "Le Goff"),
    ("Olivier", "Petit"),
)
TOLD = (
    "Mon voisin {0} {1} refuse de couper sa haie.",
    "Mme {1} et M. {1} se disputent la garde de leur fille {0}.",
    "{0} me doit 3 000 euros et ne répond plus.",
    "J'ai prêté de l'argent à {0}, qui dit que c'était un cadeau.",
    "Je m'appelle {0} {1} et je suis locataire. {0} est mon nom.",
    "Mon fils {0} a été renversé par la voiture de {0} {1}.",
    "Mes voisins, les {1}, font du bruit.",
)


@pytest.mark.parametrize("told", TOLD)
def test_other_names_give_the_same_text(told: str) -> None:
    texts = {neutralise(told.format(first, family), "fr").text for first, family in NAMES}
    assert texts == {told.replace("{0} {1}", "X").format("X", "X")}


@pytest.mark.parametrize(
    "text",
    [
        "Le juge de paix de Bruxelles, rue Victor Hugo, lycée Jean Moulin.",
        "Rose est la couleur du mur. Juste avant, la Région wallonne et le Conseil d'État ont statué.",
        "Mon propriétaire peut-il augmenter le loyer ? La loi Martin le permet-elle ?",
        "À la mort du Roi, les Chambres s'assemblent. Les Communautés et les Régions sont compétentes.",
    ],
)
def test_streets_courts_and_words_stay(text: str) -> None:
    assert neutralise(text, "fr").text == text
