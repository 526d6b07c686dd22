"""What pages say, as text. No network, no git: bytes in, lines of the shape Markdown has out."""
