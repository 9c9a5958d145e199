# family: output
# does: answers a question a million times
# contained by: reading one line a question; the cap on what waits unread
# expect: unasked flooded
# linger: 0.3

import os

input()
while True:
    os.write(1, b"d\n" * 30000)
