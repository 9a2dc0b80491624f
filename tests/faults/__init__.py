"""Fault campaign: kills, full disks, flipped bytes, hostile requests, files and texts. `make faults` runs all of it."""
