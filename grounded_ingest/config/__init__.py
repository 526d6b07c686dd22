"""Reads the settings, and decides which of them apply before they are on the base branch."""
