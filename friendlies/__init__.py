"""People at a table: games between a person and a bot."""
