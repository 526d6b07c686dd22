"""What is known before anything is judged: documents, base, the scope of a change."""
