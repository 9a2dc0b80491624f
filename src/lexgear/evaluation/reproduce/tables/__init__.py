"""Tables and figures of the paper: data sets, retrieval, ablation, coverage, convergence, inference time."""
