"""f_R of the paper: which words and sentences of a text matter, and which charge each of them speaks for."""
