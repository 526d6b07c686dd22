"""Labelled cases that any tool can be measured on: README.md is their card."""
