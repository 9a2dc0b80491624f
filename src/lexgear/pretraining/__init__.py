"""A base model from raw collections: prepare tokens once, then learn several tasks on one encoder-decoder."""
