"""What the tree itself answers: what a claim mentions that parsing knows, a file per kind."""
