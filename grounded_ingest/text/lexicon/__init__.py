"""Word lists and patterns as data. Each notion is listed once, and a module has nothing else."""
