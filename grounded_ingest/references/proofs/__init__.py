"""Checks claims that a parser can prove. The answer is yes, no or open.

Each module is a form of proof. The module finds the claims that have this form, and proves them
from the repository. A new form needs a module here, a line in `references/registry.py`, and a
section in docs/proofs.md.
"""
