# family: files
# does: looks for the other bots' code
# contained by: the mount namespace shows it its own; Landlock allows no other
# expect: denied
# without: landlock at confined

import os

input()
here = os.path.dirname(os.path.abspath(__file__))
found = []
for path in (
    os.path.dirname(here),
    here + "/..",
    "/var/lib/crapette",
    "/var/lib/crapette/bots",
    "/arena",
    "/arena/runner",
    "/bots",
):
    try:
        found += os.listdir(path)
    except OSError:
        pass
print("escaped: " + ", ".join(found) if found else "denied")
