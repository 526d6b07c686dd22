"""How a version is released, and what follows from it and the address; not in the wheel."""
