"""What games tell: ratings, verdicts, luck, mistakes, values. Pure functions without Django."""
