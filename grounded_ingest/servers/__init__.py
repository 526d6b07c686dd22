"""What stays running where somebody asked for it: daemon, MCP, LSP, and the session they share."""
