"""Full-text search over decided claims, for `recall`."""
