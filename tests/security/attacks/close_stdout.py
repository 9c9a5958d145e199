# family: output
# does: closes its output and lives on
# contained by: the deadline of the question
# expect: silent
# confined expects: exited
# seconds: 0.5

import os
import time

input()
os.close(1)
time.sleep(60)
