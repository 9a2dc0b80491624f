"""Evaluation of rankings and judgments: measures, significance tests, tables, experiments, reproductions."""
