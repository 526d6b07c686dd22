"""The decision: evidence, findings and rulings through one table, and a model where asked."""
