"""The queue, what people decide about it, put on record."""
