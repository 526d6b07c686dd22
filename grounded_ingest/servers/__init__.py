"""Implements the MCP server and the language server (LSP), and the session that both use."""
