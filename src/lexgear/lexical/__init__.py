"""Words: segmentation, stop words, stems, counts and sparse weights."""
