"""Words as data: one list for a notion, and nothing else."""
