# family: time
# does: sleeps on its turn
# contained by: the deadline of the question
# expect: silent
# seconds: 0.5

import time

input()
time.sleep(60)
