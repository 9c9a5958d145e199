# family: output
# does: exits as a stub does that could not lock itself in, to have the game void
# contained by: the handshake: after it every end is the bot's
# expect: exited

import os

input()
os._exit(87)
