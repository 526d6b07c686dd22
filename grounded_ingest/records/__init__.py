"""What people and runs put on record beside the text, and what of it counts."""
