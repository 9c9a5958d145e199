# family: time
# does: has itself interrupted 100,000 times a second
# contained by: the deadline of the question
# expect: silent
# seconds: 0.5

import signal

signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.00001, 0.00001)
input()
while True:
    pass
