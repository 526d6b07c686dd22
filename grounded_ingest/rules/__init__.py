"""The rules: what each is, when it applies, what finds it."""
