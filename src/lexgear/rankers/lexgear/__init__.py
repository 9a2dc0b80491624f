"""The default ranker `lexgear`, and the plain fusion it is compared with."""
