"""A text beside memories or sources: what they support, and what they contradict."""
