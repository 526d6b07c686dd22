"""Citations to evidence."""
