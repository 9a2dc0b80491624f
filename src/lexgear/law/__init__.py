"""What the law says: the tree of its nodes, readers of statute texts, the names of the charges."""
