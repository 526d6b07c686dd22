"""The rules: the decision table, the detectors, the problems, and the examples of every rule."""
