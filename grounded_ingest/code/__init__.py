"""Parses source code and manifests: definitions, environment variables, options and commands."""
