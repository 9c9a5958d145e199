# family: output
# does: closes its input and lives on
# contained by: the deadline of the question; writing to a closed pipe is its end
# expect: exited silent
# seconds: 1
# feed: 200000

import os
import time

os.close(0)
time.sleep(60)
