"""Routes and schemas of tournaments, games and ratings. Loaded late, with the API (`arena.api`)."""
