"""The review queue: claims that wait for a person, decisions by people, and explanations."""
