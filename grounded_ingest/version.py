"""The version, for those who must not import the package's face."""

__version__ = "0.1.0"
