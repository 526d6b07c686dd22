"""What a run leaves: a file per consumer, the evidence files among them."""
