"""References to answers, a file per kind: what the repository, a page or a tracker says of each."""
