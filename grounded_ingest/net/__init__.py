"""Contacts servers, checks their addresses, and limits requests."""
