# family: processes
# does: thinks in a thread during the other's turn
# contained by: seccomp: no clone; SIGSTOP stops all threads
# expect: denied
# without: seccomp rlimits

import threading

input()
try:
    threading.Thread(target=lambda: [None for _ in iter(int, 1)], daemon=True).start()
    print("escaped: a thread thinks on while the other plays")
except RuntimeError as error:
    print(f"denied: {error}")
