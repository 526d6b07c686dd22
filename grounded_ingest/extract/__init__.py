"""Reads Markdown, memory records and other formats, and returns claims with citations and frames."""
