"""Implements the steps of the GitHub Action.

action.yml starts each step with `python -m grounded_ingest.action STEP`.
The inputs are environment variables (`INPUT_…`). The outputs are written to the files that the
runner names."""
