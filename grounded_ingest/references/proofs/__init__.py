"""Proves claims with parsers. The answer is yes (confirmed), no (refuted) or open (unknown).

Each module handles one form of claim, such as `path::NAME = value`. The module finds claims of this
form and proves them from the repository. A new form needs a module here, a line in
`references/registry.py`, and a section in docs/proofs.md.
"""
