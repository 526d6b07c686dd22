"""Citations to evidence, a file per kind, and the texts behind them."""
