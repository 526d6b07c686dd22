"""What claims do to a memory: operations, relations, times."""
