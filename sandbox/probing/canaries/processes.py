"""Wants another process, a thread, another program."""

import _thread
import os

done = []
for name, attempt in (
    ("fork", os.fork),
    ("thread", lambda: _thread.start_new_thread(int, ())),
    ("exec", lambda: os.execv("/usr/bin/true", ["true"])),
):
    try:
        if attempt() == 0:
            os._exit(0)
        done.append(name)
    except (OSError, RuntimeError):
        pass
print("escaped: " + ", ".join(done) if done else "contained")
