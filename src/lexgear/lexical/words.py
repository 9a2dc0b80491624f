"""Segmentation of Chinese and French texts into the words that search counts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.resources import files

from lexgear.errors import ErrorCode, InputError

Segmenter = Callable[[str], list[str]]


FRENCH_WORD = re.compile(r"[^\W_]+")
_REMEMBERED_STEMS = 2**16
"""Number of stems kept in memory; BSARD's articles have 20,000 different words."""
_LONGEST_REMEMBERED = 40
"""Maximum length of a word whose stem is kept."""
_WORD_CHARACTER = re.compile(r"\w")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")


def segmenter(language: str) -> Segmenter:
    """Return the function that segments texts of this language into words.

    >>> segmenter("fr")("L'employeur a-t-il le droit de licencier ?")
    ['employeur', 'droit', 'licenci']
    """
    try:
        return {"zh": chinese_words, "fr": french_words}[language]
    except KeyError:
        raise InputError(
            f"no word segmentation for language {language!r}",
            code=ErrorCode.UNKNOWN_NAME,
            remedy="use zh or fr",
            name=language,
        ) from None


def line_by_line(segment: Segmenter) -> Segmenter:
    """Return a function that gives the same words and keeps those of each line, for texts that share lines.

    No word crosses the end of a line.
    """
    remembered = cache(segment)
    return lambda text: [word for line in text.split("\n") for word in remembered(line)]


def written_in(language: str, text: str) -> bool:
    """Return whether a text has a letter of the script of a language.

    >>> written_in("zh", "vishing"), written_in("fr", "vishing"), written_in("fr", "12 …")
    (False, True, False)
    """
    return any(_HAN.match(character) if language == "zh" else character.isalpha() for character in text)


def chinese_words(text: str) -> list[str]:
    """Return rjieba's words of two or more characters; single characters are mostly function words and add noise.

    Words that begin with 某 are left out: 某地 says nothing, and in neutral texts 某 is the placeholder of a name.
    """
    import rjieba

    folded = normalize(text)
    return [word for word in rjieba.cut(folded) if len(word) > 1 and word[0] != "某" and _WORD_CHARACTER.search(word)]


def french_words(text: str) -> list[str]:
    """Return the Snowball stems of the words, in lower case, without accents and function words.

    People type questions without accents; removing them before stemming also improves retrieval (R@100 on BSARD's
    training questions .524 → .529).
    """
    stem, stop_words = _french_stem(), french_stop_words()
    return [stem(word) for word in FRENCH_WORD.findall(_strip_accents(normalize(text))) if word not in stop_words]


@cache
def french_stop_words() -> frozenset[str]:
    """Return French function words, with their elided forms (l', d', qu')."""
    listed = files("lexgear.lexical").joinpath("stop_words_fr.txt").read_text("utf-8")
    return frozenset(_strip_accents(listed).split())


def normalize(text: str) -> str:
    """Return the text in lower case and NFKC form (full-width characters become plain), without lone surrogates."""
    return unicodedata.normalize("NFKC", text.encode("utf-8", "replace").decode("utf-8")).lower()


def _strip_accents(text: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFD", text) if not unicodedata.combining(sign))


@cache
def _french_stem() -> Callable[[str], str]:
    """Return the stemmer, with the stems of the words used last.

    A service reads words of its clients: they are forgotten as others come, and unusually long ones at once.
    """
    import snowballstemmer

    stemmer = snowballstemmer.stemmer("french")

    def stem(word: str) -> str:
        return str(stemmer.stemWord(word))

    remembered = lru_cache(_REMEMBERED_STEMS)(stem)
    return lambda word: remembered(word) if len(word) <= _LONGEST_REMEMBERED else stem(word)
