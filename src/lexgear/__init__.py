"""lexgear retrieves legal documents and predicts the judgment in one walk down the law."""

from importlib.metadata import version

__version__ = version("lexgear")
