"""Parses source code and manifests: definitions, options and commands."""
