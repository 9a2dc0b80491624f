"""Training: losses and rewards of the paper, objectives, the training loop and its checkpoints."""
