"""What runs and people put on record beside the text, and what of it counts."""
