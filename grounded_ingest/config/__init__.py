"""The settings that a repository can have, and which settings apply before the configuration has
landed.
"""
