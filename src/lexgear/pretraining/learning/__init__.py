"""Pretraining runs: tasks, batches, distributed training, checkpoints and validation."""
