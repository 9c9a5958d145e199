"""Pages of series and of the seasons of ladders."""
