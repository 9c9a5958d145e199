"""The engine's cores as C, for the package's own module names."""

from __future__ import annotations

import re
import runpy
import shutil
import tempfile
from pathlib import Path
from typing import Any

from Cython.Build import cythonize
from setuptools import Extension


def translate(source: Path, target: Path, package: str) -> None:
    """Write ``turns.c`` and ``ticks.c``, compiled as modules below ``package``, into ``target``."""
    setup: dict[str, Any] = runpy.run_path(str(source / "setup.py"), run_name="setup")
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        for module, path in setup["write_joined"](Path(scratch)).items():
            kind = module.split(".")[1]
            name = module.replace("engine", package, 1)
            placed = Path(scratch, "moved", *name.split(".")).with_suffix(".py")
            placed.parent.mkdir(parents=True, exist_ok=True)
            # Relative, so that one file serves both copies of the engine, whose names differ.
            text = re.sub(r"^from engine\.", "from ...", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
            placed.write_text(text, encoding="utf-8")
            if path.with_suffix(".pxd").exists():
                shutil.copyfile(path.with_suffix(".pxd"), placed.with_suffix(".pxd"))
            # Cython looks for the declarations of a module below these folders.
            where = [str(Path(scratch, "moved"))]
            cythonize([Extension(name, [str(placed)])], include_path=where, quiet=True)  # type: ignore[no-untyped-call]
            shutil.copyfile(placed.with_suffix(".c"), target / f"{kind}.c")
