"""What happens to puzzles: found in games, tried, judged, rated."""
