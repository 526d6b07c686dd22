"""What crosses stages, as frozen types: claim, citation, evidence, finding, decision, report."""
