# family: inherited descriptors
# does: looks in its own process for what the stub left
# contained by: the stub: closes its pipe and leaves its module
# expect: denied

import gc
import os
import sys

input()
stub = [value for value in gc.get_objects() if isinstance(value, dict) and "own_signals_only" in value]
modules = [name for name, module in sys.modules.items() if hasattr(module, "lock_in")]
descriptors = []
for fd in range(3, 64):
    try:
        os.fstat(fd)
        descriptors.append(fd)
    except OSError:
        pass
print(f"escaped: {descriptors} {modules}" if descriptors or modules else "denied")
