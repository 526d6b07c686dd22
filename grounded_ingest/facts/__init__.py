"""Facts that a text states, as subject, slot and value."""
