"""Evidence files and review logs: what is written into them, and which approvals count."""
