"""Decides claims with the decision table. Asks a judge model if the configuration names one."""
