"""What is known before anything is judged: documents, index, base, the scope of a change."""
