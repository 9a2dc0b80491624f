"""The generator: text in, probabilities of the law's nodes and of documents out."""
