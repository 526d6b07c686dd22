"""Many repositories, each checked by itself, and one set of tables over them."""
