"""What a run leaves: a file per consumer."""
