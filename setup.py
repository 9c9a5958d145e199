"""Compiles the engine's cores where a C compiler is at hand; without one the same source runs as it stands.

Run ``python setup.py build_ext --inplace``.
"""

from __future__ import annotations

import os

from Cython.Build import cythonize
from setuptools import Extension, setup


def extensions() -> list[Extension]:
    """The extensions, optional: a machine without a compiler is no error."""
    built: list[Extension] = cythonize(  # type: ignore[no-untyped-call]
        [
            Extension(f"engine.{name}", [f"engine/{name}.py"], extra_compile_args=["-O2"])
            for name in ("core", "racecore")
        ],
        annotate=bool(os.environ.get("ENGINE_ANNOTATE")),
        build_dir="build",
        quiet=True,
    )
    for extension in built:
        extension.optional = True  # cythonize drops it, so it is set on what comes back
    return built


setup(name="crapette-engine", packages=[], ext_modules=extensions())
