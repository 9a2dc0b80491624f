"""The variants of idf against their formulas, term by term."""

import math

import numpy as np
import pytest

from lexgear.lexical.tf_idf import bm25_idf, log_tf, plain_idf, positive_idf, smoothed_idf

DF, COUNT = np.array([1, 2, 7, 10]), 10


def test_each_variant_follows_its_formula() -> None:
    for place, df in enumerate(DF.tolist()):
        assert log_tf(DF)[place] == pytest.approx(1 + math.log(df))
        assert plain_idf(DF, COUNT)[place] == pytest.approx(math.log(COUNT / df))
        assert smoothed_idf(DF, COUNT)[place] == pytest.approx(math.log((COUNT + 1) / (df + 1)))
        assert positive_idf(DF, COUNT)[place] == pytest.approx(math.log(1 + COUNT / df))
        assert bm25_idf(DF, COUNT)[place] == pytest.approx(math.log(1 + (COUNT - df + 0.5) / (df + 0.5)))
        assert bm25_idf(df, COUNT) == pytest.approx(bm25_idf(DF, COUNT)[place])


def test_a_rarer_term_never_weighs_less() -> None:
    for weights in (plain_idf(DF, COUNT), smoothed_idf(DF, COUNT), positive_idf(DF, COUNT), bm25_idf(DF, COUNT)):
        assert (np.diff(weights) < 0).all()
