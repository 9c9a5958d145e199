# family: output
# does: writes to standard error without end
# contained by: keeping 64 KB, reading once in five milliseconds; the deadline
# expect: silent
# seconds: 1

import os

input()
while True:
    os.write(2, b"x" * 65536)
