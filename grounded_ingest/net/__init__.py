"""Contacts servers, checks their addresses, limits requests, and converts pages to text."""
