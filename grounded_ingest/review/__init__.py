"""The review queue: what waits for a person, what people decide, and why claims were decided."""
