# family: files
# does: takes NumPy and ONNX Runtime, which its language does not have
# contained by: the mount namespace shows them only to bots of that language; Landlock
# expect: denied

import os
import sys

input()
found = []
sys.path += ["/arena/wheels/packages"]
for name in ("numpy", "onnxruntime"):
    try:
        __import__(name)
        found.append(name)
    except (ImportError, OSError):
        pass
for path in ("/arena/wheels/packages/numpy/__init__.py", "/arena/wheels/cpuinfo", "/proc/cpuinfo"):
    try:
        os.close(os.open(path, os.O_RDONLY))
        found.append(path)
    except OSError:
        pass
print("escaped: " + ", ".join(found) if found else "denied")
