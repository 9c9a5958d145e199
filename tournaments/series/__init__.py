"""Series: recurring events with one table over them, in seasons; and the seasons of ladders."""
