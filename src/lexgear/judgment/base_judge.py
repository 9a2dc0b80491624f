"""A base model as a judge: the law without documents, by the same code as an index judges."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from lexgear.corpus.records import Collection
from lexgear.errors import InputError
from lexgear.judgment.base_calibration import GENERATOR_ALONE
from lexgear.judgment.judge import Judgment, judge
from lexgear.law.shipped import chinese_criminal_law
from lexgear.law.tree import LawNode, LawTree, TreeBuilder
from lexgear.lexical.words import segmenter
from lexgear.model.device import best_device
from lexgear.pretraining.base import Base, shipped_base
from lexgear.rankers.inputs import Inputs
from lexgear.rankers.lexgear.evidence import Evidence
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.weight_learning import Facts
from lexgear.rankers.lexgear.weights import Mixture
from lexgear.search.scorer import LogP
from lexgear.training.examples import paths_to


class BaseJudge(Lexgear):
    """Judges by the generator and what the base has read of each charge. It has nothing to search."""

    def __init__(self, base: Base, language: str) -> None:
        super().__init__()
        self.base, self.ids, self.tokens = base, base.ids, base.tokens
        self.generator, self.known = base.generator.to(best_device()), base.charge_words
        self.law = law_of(base)
        self.inputs = Inputs.of(Collection("law", language, (), law=self.law), self.settings.extraction(), plain=True)
        self.mixture = Mixture(**base.about.get("walk", GENERATOR_ALONE))

    def judge(self, text: str) -> Judgment:
        """Which charges the facts lead to, how surely, and what speaks for them; of a law without any, which places."""
        return judge(self, self.law, text)

    def read(self, text: str) -> Facts:
        """Reads a text, once for whatever is asked of it then."""
        words, rationale = segmenter(self.inputs.lexicon.language)(text), self.inputs.rationale(text)
        return Facts(words, rationale, self._known_near(self.known, text), lambda: self._asked(text))

    def familiar(self, text: str, facts: Facts) -> bool:
        """Whether a text reads like the cases the base has learnt from."""
        return self.base is not None and self.base.familiar(text)

    def evidence(self, facts: Facts) -> Evidence:
        """Which sentences of the rationale speak for which charge: where each alone would lead the generator."""
        sentences, trie = facts.rationale.sentences, self.ids.trie
        shown = [part.text for part in sentences] or [""]
        read = self.generator.read_only(*self.tokens.encode(shown, self.settings.tokens))

        def near(nodes: Sequence[int]) -> LogP:
            ways = np.tile(paths_to(self.ids, nodes), (len(sentences), 1))
            owners = np.repeat(np.arange(len(sentences)), len(nodes))
            steps = self.generator.step_log_probs(read, owners, ways, trie).detach().double().cpu().numpy()
            return np.asarray(np.exp(steps.sum(1)).reshape(len(sentences), len(nodes)))

        return Evidence(self.ids, sentences, near)


def law_of(base: Base) -> LawTree:
    """The law of a base: the one that ships where it is the same, else its places with their titles."""
    shipped, trie = chinese_criminal_law(), base.ids.trie
    if any(name in shipped for name in base.ids.names):
        return shipped
    builder, titles = TreeBuilder(), base.about.get("titles", {})
    for node in range(1, trie.node_count):  # level by level: parents first
        name, above = base.ids.node_name(node), base.ids.node_name(int(trie.parent[node]))
        number, title = name.rsplit("/", 1)[-1], titles.get(name, "")
        builder.insert(LawNode(name, base.ids.node_kind(node), number, title, parent=above or None))
    return builder.tree()


@cache
def shipped_judge(language: str) -> BaseJudge:
    """The base model that comes with the package for a language, as a judge."""
    base = shipped_base(language)
    if base is None:
        raise InputError(f"no base model for {language!r} comes with lexgear", remedy="name an index to judge by")
    return BaseJudge(base, language)
