"""Asks a judge model whether sources support claims. The model is a command or an endpoint."""
