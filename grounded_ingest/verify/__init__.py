"""A text beside memories: what they license, and what they contradict."""
