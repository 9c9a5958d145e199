"""Pages of games: the list, one live or in replay, its record, and a passage to share."""
