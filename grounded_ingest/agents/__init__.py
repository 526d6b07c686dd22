"""What the hooks of coding agents tell and take: a file per agent."""
