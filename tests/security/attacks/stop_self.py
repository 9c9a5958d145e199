# family: time
# does: stops itself
# contained by: the deadline of the question
# expect: silent
# seconds: 0.5

import os
import signal

input()
os.kill(os.getpid(), signal.SIGSTOP)
print("escaped")
