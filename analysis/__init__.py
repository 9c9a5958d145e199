"""What games tell us: ratings, verdicts, luck, mistakes, expected results. Pure functions, no Django."""
