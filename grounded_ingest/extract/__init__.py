"""Bytes to claims: Markdown, records and other formats, with citations, frames and memory types."""
