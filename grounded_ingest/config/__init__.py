"""What a repository may set."""
