"""The decision table, its detectors and problems; the examples of each rule as data."""
