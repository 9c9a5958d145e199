"""Games in ticks: the loop that plays one, and the stopwatch for two answers at once."""
