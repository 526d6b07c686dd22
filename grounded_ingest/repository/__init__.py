"""Documents in a repository, the scope of a check, the base branch, and the index of claims."""
