# family: inherited descriptors
# does: looks for passwords in its environment
# contained by: an environment of its own
# expect: denied

import os

input()
known = {"PATH", "HOME", "LANG", "PYTHONHASHSEED", "LD_LIBRARY_PATH", "LC_CTYPE", "PWD"}
known |= {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"}
found = sorted(set(os.environ) - known)
print(f"escaped: {found}" if found else "denied")
