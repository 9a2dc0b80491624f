"""Document IDs: f_T of the paper (law IDs) and the ID schemes of the baselines."""
