"""Contacts servers on the network. Addresses are checked, conversations are limited in time, and
pages are converted to text."""
