"""The settings of `gear`, named as in the paper where the paper names them."""

from __future__ import annotations

from dataclasses import dataclass

from lexgear.rankers.generative.id_settings import SEARCH, SOFTMAX
from lexgear.rankers.generative.model_settings import GeneratorSettings
from lexgear.rationale.records import RationaleSettings
from lexgear.settings import one_of, within
from lexgear.training.losses import LossSettings

CHOICES = {
    "form": ("revised", "paper"),
    "distance": ("law", "binary"),
    "ids": ("law", "kmeans"),
    "shape": ("natural", "fixed", "flat"),
    "softmax": SOFTMAX,
    "search": SEARCH,
}


@dataclass(frozen=True, slots=True)
class GearSettings(GeneratorSettings):
    """Settings of `gear`. No dropout: indexing is learning by heart."""

    lambda1: float = 10.0
    lambda2: float = 1.0
    rationale: bool = True
    """Whether the model reads rationales; its first tokens of the whole text otherwise (without f_R)."""
    ids: str = "law"
    """Where documents hang: under the `law`, or in clusters found by `kmeans` (without f_T)."""
    shape: str = "natural"
    """Of the IDs of the law: `natural`, `fixed` (the paper's) or `flat`."""
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

    def __post_init__(self) -> None:
        GeneratorSettings.__post_init__(self)
        for name, choices in CHOICES.items():
            one_of(name, getattr(self, name), choices)
        within("beams", self.beams, 1, 100_000)
        within("epochs", self.epochs, 1, 100_000)
        within("train_beams", self.train_beams, 0, 1000)
        self.extraction()
        self.losses()

    def extraction(self) -> RationaleSettings | None:
        """Those of f_R; None without it."""
        settings = RationaleSettings(self.k1, self.k2, self.k3, self.lambda1, self.lambda2, self.lambda3)
        return settings if self.rationale else None

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
