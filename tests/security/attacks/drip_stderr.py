# family: time
# does: keeps the referee awake through standard error
# contained by: the deadline of the question, which is absolute
# expect: silent
# seconds: 0.5

import os
import time

input()
while True:
    os.write(2, b"x\n")
    time.sleep(0.001)
