"""Reads and checks the settings of a repository. Also decides which settings apply before they are
on the base branch.
"""
