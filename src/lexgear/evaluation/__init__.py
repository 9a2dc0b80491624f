"""How good a ranking is, how sure that is, and the tables that say so."""
