"""The similar-case report (类案检索报告) of the Supreme People's Court's 2020 opinion, articles 4, 8 and 9."""
