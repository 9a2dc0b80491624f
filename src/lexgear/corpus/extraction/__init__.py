"""Extraction of charges, articles, penalties, parties, courts and dates from the text of judgments."""
