"""The settings of a repository, and which of them apply before they have landed."""
