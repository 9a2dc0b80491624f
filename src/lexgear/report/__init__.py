"""Similar-case report (类案检索报告) by the Supreme People's Court's opinion of 2020, articles 4, 8 and 9."""
