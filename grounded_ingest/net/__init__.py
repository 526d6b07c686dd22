"""The network edge: checked addresses, bounded conversations, pages as text."""
