"""Legal factors: circumstances such as a weapon, an amount or a surrender, read from judgments and queries by rules."""
