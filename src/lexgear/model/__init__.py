"""Models: T5 and BERT encoders, the tree decoder, query generation, checkpoints and tokenizers."""
