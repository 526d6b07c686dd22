"""What stays running while a client asks: MCP, LSP, and the session they share."""
