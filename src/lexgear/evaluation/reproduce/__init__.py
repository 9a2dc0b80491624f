"""The paper's tables and figures: every system on the same work, ours beside what the paper reports."""
