"""Frozen types that all stages share: claim, citation, evidence, finding, decision, report."""
