"""Words: segmentation, stop words, stems, and the sparse arrays that BM25 and query likelihood share."""
