# family: time
# does: never reads what it is sent
# contained by: writes that do not block, with the same deadline
# expect: silent
# seconds: 0.5
# feed: 300000

import time

time.sleep(60)
