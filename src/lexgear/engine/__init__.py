"""Engines: work over partitions and actors, in this process, in local processes or on a Ray cluster."""
