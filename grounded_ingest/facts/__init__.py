"""Facts a text states, as slot and value."""
