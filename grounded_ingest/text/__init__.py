"""A text read once into a Reading; beside it the normal forms of numbers, dates and names."""
