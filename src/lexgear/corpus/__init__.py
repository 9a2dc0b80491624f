"""What was decided and what is asked: records, readers of data sets and of judgments, the sample."""
