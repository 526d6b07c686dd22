"""Documents, base, the scope of a change, and what is kept between runs."""
