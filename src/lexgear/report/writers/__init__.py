"""Writers of a report, one module per format."""
