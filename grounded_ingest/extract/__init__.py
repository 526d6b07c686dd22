"""Reads Markdown, memory records and other formats, and returns their claims with citations."""
