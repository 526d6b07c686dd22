"""What the GitHub Action does, as `python -m grounded_ingest.action STEP`: action.yml starts it.

Inputs come by environment variables (`INPUT_…`), outputs go to the files the runner names."""
