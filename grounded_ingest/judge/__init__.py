"""A language model that judges claims: a command or an endpoint, its questions and answers."""
