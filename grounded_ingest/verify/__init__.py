"""Checks which statements of a text are supported or contradicted by memories or source texts."""
