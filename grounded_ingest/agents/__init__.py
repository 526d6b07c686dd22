"""Supports the hooks of coding agents: reads their events and writes replies to them."""
