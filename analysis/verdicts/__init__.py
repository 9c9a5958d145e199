"""Who is better: intervals, tests and verdicts on a series of pairs."""
