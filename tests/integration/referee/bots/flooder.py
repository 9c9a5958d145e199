"""Answers with a line that does not end."""

import os
import sys

sys.stdin.readline()
os.write(1, b'{"type":"ready"}\n')
sys.stdin.readline()
while True:
    os.write(1, b"x" * 4096)
