"""The settings of `gear`, named as in the paper where the paper names them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexgear.errors import InputError
from lexgear.rankers.limits import within
from lexgear.rationale.records import RationaleSettings
from lexgear.training.losses import LossSettings

if TYPE_CHECKING:
    from lexgear.model.t5 import T5Shape
    from lexgear.training.loop import LoopSettings

CHOICES = {
    "form": ("revised", "paper"),
    "distance": ("law", "binary"),
    "shape": ("natural", "fixed", "flat"),
    "softmax": ("children", "vocabulary"),
    "search": ("exact", "beam"),
}


@dataclass(frozen=True, slots=True)
class GearSettings:
    """Settings of `gear`. The defaults learn the built-in sample on two cores in about two minutes."""

    k1: int = 10
    """Words of charge names in a rationale."""
    k2: int = 20
    """Words of charge definitions in a rationale."""
    k3: int = 15
    """Sentences in a rationale."""
    lambda1: float = 10.0
    lambda2: float = 1.0
    rationale: bool = True
    """Whether the model reads rationales; its first tokens of the whole text otherwise (without f_R)."""
    shape: str = "natural"
    """Of the IDs: `natural`, `fixed` (the paper's) or `flat`."""
    softmax: str = "children"
    """Over a node's `children`, or over the whole `vocabulary` (the paper's)."""
    mu: float = 1.0
    gamma_h: float = 0.1
    gamma_r: float = 1.0
    lambda_w: float = 1.0
    lambda_l: float = 0.001
    """Weight of the revision loss; 0 leaves it out (without L_c)."""
    form: str = "revised"
    """Of the revision loss: `revised` or `paper`."""
    distance: str = "law"
    """In rewards: `law` or `binary`."""
    train_beams: int = 10
    """Beams a query that the revision loss looks at."""
    judgments_as_queries: bool = True
    """Whether judgments also serve as training queries for themselves, with the query's side of f_R."""
    beams: int = 30
    """Of the paper's search."""
    search: str = "exact"
    """`exact`, or `beam` as in the paper."""
    tokens: int = 96
    """Longest input."""
    vocabulary: int = 4000
    width: int = 96
    heads: int = 4
    encoder_layers: int = 2
    decoder_layers: int = 1
    epochs: int = 10
    batch: int = 32
    rate: float = 0.003
    seed: int = 0

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise InputError(f"setting {name}: {getattr(self, name)!r}", remedy=f"one of {', '.join(choices)}")
        for name in ("beams", "tokens", "epochs", "batch", "heads", "encoder_layers", "decoder_layers"):
            within(name, getattr(self, name), 1, 100_000)
        within("rate", self.rate, 0, 1)
        within("vocabulary", self.vocabulary, 100, 1_000_000)
        within("seed", self.seed, 0)
        within("train_beams", self.train_beams, 0, 1000)
        if self.width < self.heads or self.width % self.heads:
            raise InputError(f"setting width: {self.width} is no multiple of {self.heads} heads")
        self.extraction()
        self.losses()

    def extraction(self) -> RationaleSettings:
        """Those of f_R."""
        return RationaleSettings(self.k1, self.k2, self.k3, self.lambda1, self.lambda2)

    def losses(self) -> LossSettings:
        """Those of the losses."""
        return LossSettings(
            mu=self.mu,
            gamma_h=self.gamma_h,
            gamma_r=self.gamma_r,
            lambda_w=self.lambda_w,
            lambda_l=self.lambda_l,
            form="paper" if self.form == "paper" else "revised",
            distance="binary" if self.distance == "binary" else "law",
        )

    def loop(self) -> LoopSettings:
        """Those of the training loop."""
        from lexgear.training.loop import LoopSettings

        return LoopSettings(epochs=self.epochs, batch=self.batch, rate=self.rate, seed=self.seed)

    def backbone(self, vocabulary: int) -> T5Shape:
        """The sizes of the model. Without dropout: indexing is learning by heart."""
        from lexgear.model.t5 import T5Shape

        return T5Shape(
            vocabulary=vocabulary,
            width=self.width,
            heads=self.heads,
            head_width=self.width // self.heads,
            inner=2 * self.width,
            encoder_layers=self.encoder_layers,
            decoder_layers=self.decoder_layers,
            dropout=0.0,
        )
