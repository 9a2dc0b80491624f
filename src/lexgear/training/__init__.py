"""Learning: the rewards of a walk down the law and the three losses of the paper."""
