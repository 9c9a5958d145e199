"""The command ``crapette``. It runs from the arena's own packages, which lie beside this file.

They are found by their own names only in this process, so that installing this package gives no other name
than ``crapette``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    arena = str(Path(__file__).resolve().parent / "_arena")
    if arena not in sys.path:
        sys.path.insert(0, arena)
    from kit.cli import main as run  # noqa: PLC0415 (found only now)

    return run(sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
