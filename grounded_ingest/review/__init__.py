"""What people decide about the queue, put on record."""
