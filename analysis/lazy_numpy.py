"""numpy, loaded when something of it is first used.

It takes a process 14 MB and a tenth of the time it needs to read its code. A site that starts does so before
it is needed: for ratings, and for the verdict of a sequential test.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["load", "np"]

if TYPE_CHECKING:
    import numpy as np
else:

    class _Later:
        """Stands for the module, and keeps what was asked of it."""

        def __getattr__(self, name: str) -> Any:
            found = getattr(import_module("numpy"), name)
            setattr(self, name, found)
            return found

    np = _Later()


def load() -> None:
    """Load it now, where a page that needs it would wait."""
    import_module("numpy")
