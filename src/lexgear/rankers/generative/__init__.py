"""Generative rankers: GEAR, DSI, DSI-QG, NCI and Ultron."""
