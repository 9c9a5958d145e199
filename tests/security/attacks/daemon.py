# family: processes
# does: leaves a daemon that outlives the game
# contained by: seccomp: no fork; the pid namespace ends with the bot
# expect: denied
# without: seccomp rlimits

import os
import time

input()
try:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(30)
        os._exit(0)
    print("escaped: a daemon lives on")
except OSError as error:
    print(f"denied: {error}")
