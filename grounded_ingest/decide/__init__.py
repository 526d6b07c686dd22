"""Decides claims (approve, review, block) by the decision table and perhaps a judge model."""
