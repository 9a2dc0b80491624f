"""Term IDs: words of the document, those of its title first, all IDs distinct."""

import pytest

from lexgear.corpus.sample.cases import sample_cases
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.docids.title import rank_terms, term_ids
from lexgear.errors import InputError

COLLECTIONS = {collection.language: collection for collection in (sample_cases(), sample_statutes())}
TITLES = ["Du vol simple", "Du vol grave", "Du bail", ""]
TEXTS = ["chose chose peine", "arme peine", "loyer chose loyer", "loyer arme arme rare"]


@pytest.mark.parametrize("language", COLLECTIONS)
def test_ids_are_unique_and_made_of_the_documents_own_words(language: str) -> None:
    documents = COLLECTIONS[language].documents[:300]
    ranked = rank_terms([one.title for one in documents], [one.text for one in documents], language)
    ids = term_ids(ranked, 6, ids=[one.id for one in documents])
    paths = [ids.document_paths(place) for place in range(len(documents))]
    assert len({path for [path] in paths}) == len(documents)
    for document, [path] in zip(documents, paths, strict=True):
        words = [ids.names[symbol] for symbol in path if ids.kinds[symbol] == "term"]
        assert len(words) >= 6
        assert all(word in f"{document.title}\n{document.text}".lower() for word in words)
        assert len(words) >= len(path) - 1


def test_titles_come_first_then_texts_by_tf_idf_and_at_last_what_tells_nothing() -> None:
    first, _, third, untitled = rank_terms(TITLES, TEXTS, "fr")
    assert first == ["vol", "chose", "peine", "simple"]  # chose occurs twice; simple occurs in no other document
    assert third == ["loyer", "chose", "bail"]
    assert untitled == ["arme", "loyer", "rare"]
    assert rank_terms(["某某盗窃"] * 2, ["张某2019年盗窃"] * 2, "zh")[0] == ["盗窃"]


def test_an_id_grows_by_terms_where_others_have_the_same_and_by_a_number_where_they_stay_the_same() -> None:
    ids = term_ids([["a", "b", "c"], ["a", "b", "d"], ["x", "y", "z"], ["a", "b"], ["q"], ["q"], []], 2)
    printed = [ids.format_id(int(ids.trie.leaves_of(place)[0])) for place in range(7)]
    assert printed == ["0-a-b-c", "0-a-b-d", "0-x-y", "0-a-b-0", "0-q-0", "0-q-1", "0-0"]


def test_what_makes_no_ids_is_refused() -> None:
    with pytest.raises(InputError, match="at least one term"):
        term_ids([["a"]], 0)
    with pytest.raises(InputError, match="2 document ids for 1 documents"):
        term_ids([["a"]], 1, ids=["x", "y"])
