"""Processes that a client keeps open: MCP, LSP, and the session they share."""
