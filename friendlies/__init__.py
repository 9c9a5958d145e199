"""People at a table: games of a person against bots."""
