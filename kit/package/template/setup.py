"""Compiles the engine's cores from C where a compiler is at hand; else the engine runs as plain Python."""

import os
import shutil
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

CORES = ("turns", "ticks")
# On ARM a compiler would otherwise multiply and add in one step, and round otherwise than the arena does.
EXACT = [] if os.name == "nt" else ["-ffp-contract=off"]
FLAGS = EXACT if os.name == "nt" or os.environ.get("CFLAGS") else ["-O2", "-g0", *EXACT]


class BuildOnce(build_ext):
    """Builds each core once. The commands have a copy of the engine, which takes the same file."""

    def run(self) -> None:
        """Build, then copy."""
        super().run()
        for extension in self.extensions:
            built = Path(self.get_ext_fullpath(extension.name))
            if built.exists():
                package = next(parent for parent in built.parents if parent.name == "crapette")
                shutil.copy2(built, package / "_arena" / built.relative_to(package))


setup(
    # CRAPETTE_PLAIN makes the wheel that fits everywhere.
    ext_modules=[]
    if os.environ.get("CRAPETTE_PLAIN") == "1"
    else [
        Extension(
            f"crapette.engine.{core}.core.whole", [f"c/{core}.c"], extra_compile_args=FLAGS, optional=True
        )
        for core in CORES
    ],
    cmdclass={"build_ext": BuildOnce},
)
