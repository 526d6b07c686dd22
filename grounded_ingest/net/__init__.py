"""The network edge, and what comes over it as text."""
