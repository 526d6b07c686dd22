"""How fast the product is, beside others of its kind: `python -m benchmarks`."""
