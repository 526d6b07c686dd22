"""What claims do to a memory: operations, relations, relative times."""
