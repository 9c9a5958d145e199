# family: time
# does: ignores the signal that says its processor time is over
# contained by: RLIMIT_CPU: its hard limit cannot be ignored
# expect: cpu
# seconds: 40
# cpu seconds: 1

import signal

signal.signal(signal.SIGXCPU, signal.SIG_IGN)
input()
while True:
    pass
