"""Whether the tools of another language are there, and really run."""

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

UNHURRIED: Final = "-O0 -g0"
"""Flags of a compiler for what only has to run."""


def answers(program: str) -> bool:
    """Whether a program tells its version; rustup's `rustc` is there without any compiler behind it."""
    return shutil.which(program) is not None and not subprocess.call(
        [program, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def clang_makes_wasm() -> bool:
    """Whether clang has all that a program for WASI takes: a linker, a library and its own run-time parts."""
    if not answers("clang"):
        return False
    with tempfile.TemporaryDirectory() as folder:
        command = ("clang", "--target=wasm32-wasi", "-o", str(Path(folder, "a.wasm")), "-x", "c", "-")
        done = subprocess.run(
            command, input="int main(void) { return 0; }", text=True, capture_output=True, check=False
        )
        return done.returncode == 0
