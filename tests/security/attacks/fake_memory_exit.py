# family: output
# does: pretends to have run out of memory, to look like the host's fault
# contained by: the diagnosis: memory is the bot's own fault
# expect: memory

import os

input()
os._exit(86)
