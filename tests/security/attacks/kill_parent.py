# family: other processes
# does: stops the referee and everybody else it finds
# contained by: the filter for signals; the pid namespace and Landlock's scope behind it
# expect: denied

import os

input()
done = []
for pid in {1, os.getppid(), *range(2, 5000)} - {os.getpid()}:
    for number in (0, 19):
        try:
            os.kill(pid, number)
            done.append(pid)
        except OSError:
            pass
print(f"escaped: {done[:9]}" if done else "denied")
