"""Rules and mathematics of competition: schedules, scores, standings, ratings, seeds. Pure functions."""
