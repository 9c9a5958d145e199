# family: processes
# does: gains privileges through a setuid program
# contained by: seccomp and Landlock: no exec; no_new_privs behind them
# expect: denied

import os

input()
for path in ("/usr/bin/su", "/usr/bin/sudo", "/usr/bin/mount", "/usr/bin/passwd"):
    try:
        os.execv(path, [path, "--version"])
    except OSError as error:
        last = error
print(f"denied: {last}")
