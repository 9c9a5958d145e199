# family: output
# does: writes to standard error without end
# contained by: keeping 64 KB and reading no more than a megabyte; the deadline
# expect: silent
# seconds: 1

import os

input()
while True:
    os.write(2, b"x" * 65536)
