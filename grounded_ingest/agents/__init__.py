"""Hooks of coding agents: one table of what they send and read, and the replies to them."""
