"""f_T of the paper: where each document hangs, and the ID it gets from there."""
