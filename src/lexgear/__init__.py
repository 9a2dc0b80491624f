"""lexgear retrieves legal documents and predicts the judgment in one walk down the law."""
