"""Fuzzing guided by coverage: every reader of bytes, and what holds of any bytes (docs/fuzzing.md).

python -m fuzz TARGET --seconds N
"""
