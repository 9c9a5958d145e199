# family: time
# does: ignores every signal there is
# contained by: SIGKILL
# expect: silent
# seconds: 0.5

import signal
import time

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
input()
while True:
    time.sleep(1)
