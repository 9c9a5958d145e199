"""Whether a program of another language's tools is there, and really runs."""

from __future__ import annotations

import shutil
import subprocess


def answers(program: str) -> bool:
    """Whether a program tells its version; rustup's `rustc` is there without any compiler behind it."""
    return shutil.which(program) is not None and not subprocess.call(
        [program, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
