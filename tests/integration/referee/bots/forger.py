"""Answers questions before they are asked, with an id it guesses."""

import os
import sys

sys.stdin.readline()
os.write(1, b'{"type":"ready"}\n' + b'{"id":"00000000","moves":["draw"]}\n' * 3)
sys.stdin.readline()
sys.stdin.readline()
