# family: output
# does: kills itself as the kernel would for want of memory, to have the game void
# contained by: the diagnosis: only a kill the kernel counted is the host's
# expect: crashed

import os
import signal

input()
os.kill(os.getpid(), signal.SIGKILL)
