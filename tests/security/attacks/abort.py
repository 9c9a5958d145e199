# family: output
# does: aborts
# contained by: the process's own end; RLIMIT_CORE leaves no core
# expect: crashed

import os

input()
os.abort()
