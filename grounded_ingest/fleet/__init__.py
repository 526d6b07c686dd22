"""Many repositories, each checked in a process of its own, and SQL over their rows."""
