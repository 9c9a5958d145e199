# family: time
# does: sends a byte now and then, so that something always comes
# contained by: the deadline of the question, which is absolute
# expect: silent
# seconds: 0.5

import os
import time

input()
while True:
    os.write(1, b"x")
    time.sleep(0.02)
