"""Pages of tournaments, games and ratings: each with its form and its words."""
