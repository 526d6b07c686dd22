"""Reads and writes evidence files and review logs, and decides which approvals count."""
