"""Answers a line, as every bot does."""

import sys

for line in sys.stdin:
    print("contained", line.strip())
