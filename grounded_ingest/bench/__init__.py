"""What the hook would have stopped in a history."""
