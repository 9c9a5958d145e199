"""Compiles the engine's cores from C where a compiler is at hand; else the engine runs as plain Python.

CRAPETTE_BUILD makes a wheel for others, which has to be compiled: ``exact`` for this version of Python, which
is fastest, or ``abi3`` by Python's stable ABI, for this and every later one.
"""

import os
import re
import shutil
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

CORES = ("turns", "ticks")
# On ARM a compiler would otherwise multiply and add in one step, and round otherwise than the arena does.
EXACT = [] if os.name == "nt" else ["-ffp-contract=off"]
FLAGS = EXACT if os.name == "nt" or os.environ.get("CFLAGS") else ["-O2", "-g0", *EXACT]
FOR_OTHERS = os.environ.get("CRAPETTE_BUILD", "")
STABLE = FOR_OTHERS == "abi3"
MACROS = [("CYTHON_LIMITED_API", "1"), ("Py_LIMITED_API", "0x030B0000")] if STABLE else []
OLDEST_GLIBC = 17


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


class NamedByLibrary(bdist_wheel):
    """Names the C library that a wheel for Linux needs, for pip offers a plain ``linux`` one to any."""

    def get_tag(self) -> tuple[str, str, str]:
        """Python, ABI and platform (PEP 600, PEP 656)."""
        python, abi, platform = super().get_tag()
        if not FOR_OTHERS or not platform.startswith("linux_"):
            return python, abi, platform
        symbols = b"".join(path.read_bytes() for path in Path(self.bdist_dir).rglob("*.so"))
        versions = [int(number) for number in re.findall(rb"GLIBC_2\.(\d+)", symbols)]
        library = f"manylinux_2_{max(OLDEST_GLIBC, *versions)}" if versions else "musllinux_1_2"
        return python, abi, platform.replace("linux", library, 1)


setup(
    ext_modules=[
        Extension(
            f"crapette.engine.{core}.core.whole",
            [f"c/{core}.c"],
            define_macros=MACROS,
            extra_compile_args=FLAGS,
            py_limited_api=STABLE,
            optional=not FOR_OTHERS,
        )
        for core in CORES
    ],
    cmdclass={"build_ext": BuildOnce, "bdist_wheel": NamedByLibrary},
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if STABLE else {},
)
