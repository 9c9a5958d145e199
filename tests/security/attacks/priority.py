# family: time
# does: chooses its priority, its scheduler and its core
# contained by: seccomp: no calls that set them
# expect: denied
# without: seccomp

import os

input()
done = []
for name, attempt in (
    ("nice", lambda: os.setpriority(os.PRIO_PROCESS, 0, 5)),
    ("fifo", lambda: os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))),
    ("affinity", lambda: os.sched_setaffinity(0, {0})),
):
    try:
        attempt()
        done.append(name)
    except OSError:
        pass
print("escaped: " + ", ".join(done) if done else "denied")
