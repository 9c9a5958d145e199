# family: output
# does: writes without end and without a newline
# contained by: the cap on a line
# expect: flooded

import os

input()
while True:
    os.write(1, b"x" * 65536)
