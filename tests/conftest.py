"""Makes the modules beside this one (`servers`) importable for the tests below."""
