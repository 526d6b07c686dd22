"""Source code and manifests as parsed: what a text defines, assigns, offers as a command."""
