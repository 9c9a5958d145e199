"""The command ``crapette``. It runs from the arena's own packages, which lie beside this file.

They are found by their own names only in this process, so that installing this package gives no other name
than ``crapette``.
"""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> int:
    """Run the command and return its exit status."""
    sys.path.insert(0, str(Path(__file__).resolve().parent / "_arena"))
    from kit.cli import main as run  # noqa: PLC0415 (found only now)

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
