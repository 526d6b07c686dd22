"""Bytes to claims."""
