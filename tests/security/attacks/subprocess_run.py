# family: processes
# does: runs a program of the host
# contained by: seccomp: no fork, no exec
# expect: denied

import subprocess

input()
try:
    print("escaped:", subprocess.run(["/usr/bin/id"], capture_output=True, text=True).stdout.strip())
except OSError as error:
    print(f"denied: {error}")
