"""The law: tree of its nodes, readers of statutes, names of the charges."""
