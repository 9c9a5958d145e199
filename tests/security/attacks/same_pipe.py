# family: inherited descriptors
# does: reads and writes its pipes the wrong way round
# contained by: pipes, which have one
# expect: denied

import os

input()
done = []
for name, attempt in (
    ("read stdout", lambda: os.read(1, 1)),
    ("write stdin", lambda: os.write(0, b"x")),
    ("read stderr", lambda: os.read(2, 1)),
):
    try:
        attempt()
        done.append(name)
    except OSError:
        pass
print("escaped: " + ", ".join(done) if done else "denied")
