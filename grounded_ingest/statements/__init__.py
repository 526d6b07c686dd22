"""What claims state: hedges, repeats, facts, and what they do to a memory."""
