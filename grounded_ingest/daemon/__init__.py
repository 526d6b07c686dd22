"""A started interpreter that stays where somebody asked for it, so that commands answer sooner."""
