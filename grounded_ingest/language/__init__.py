"""Text: read, normal forms, words."""
