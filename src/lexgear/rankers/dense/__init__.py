"""Dense rankers: bi-encoders of the BERT family, SAILER and G-DSR."""
