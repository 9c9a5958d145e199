"""Compiles the engine's cores where a C compiler is at hand; without one the same source runs as it stands.

Run ``python setup.py build_ext --inplace``.
"""

from __future__ import annotations

import os

from Cython.Build import cythonize
from setuptools import Extension, setup

MODULES = ("core", "racecore")
FLAGS = ["-O2", "-g0"]
"""Without what only a debugger reads, which takes a sixth of the compiler's time. -O1 would save
two fifths of it, but a clone would take a fifth longer and a playout inside the core up to 5 %."""


def extensions() -> list[Extension]:
    """The extensions, optional: a machine without a compiler is no error."""
    built: list[Extension] = cythonize(  # type: ignore[no-untyped-call]
        [Extension(f"engine.{name}", [f"engine/{name}.py"], extra_compile_args=FLAGS) for name in MODULES],
        annotate=bool(os.environ.get("ENGINE_ANNOTATE")),
        build_dir="build",
        quiet=True,
        nthreads=len(MODULES),
    )
    for extension in built:
        extension.optional = True  # cythonize drops it, so it is set on what comes back
    return built


if __name__ == "__main__":  # what translates the modules side by side may import this file
    setup(
        packages=[],
        ext_modules=extensions(),
        options={"build_ext": {"parallel": str(len(MODULES))}},
    )
