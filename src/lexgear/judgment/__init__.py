"""Judgment prediction: from the facts of a case to charges, articles and evidence."""
