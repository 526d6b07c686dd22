"""What crosses stages, as frozen types."""
