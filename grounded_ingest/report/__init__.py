"""Writes the results of a run: reports in several formats, evidence files and the baseline."""
