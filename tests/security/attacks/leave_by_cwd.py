# family: files
# does: climbs up from its directory
# contained by: the mount namespace; Landlock
# expect: denied
# without: landlock

import os

input()
for _ in range(64):
    try:
        os.chdir("..")
    except OSError:
        break
try:
    print("escaped:", os.listdir("."), os.getcwd())
except OSError as error:
    print(f"denied: {error}")
