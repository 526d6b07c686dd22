"""The decision: evidence, findings and rulings through one table."""
