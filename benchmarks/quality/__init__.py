"""Quality on labelled data: `python -m benchmarks.quality NAME`."""
