"""Pages of ratings: the leaderboards, and the part of a bot's page that tells how it has played."""
