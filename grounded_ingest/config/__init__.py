"""What a repository may set, and what of it counts before it has landed."""
