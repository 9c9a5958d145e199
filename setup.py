"""Compiles what a move runs through where a C compiler is at hand; else the same source runs as it stands.

Run ``python setup.py build_ext --inplace``.

A module is written in parts of one concern each. They are joined and compiled as one module, so that the C
compiler sees all of it at once and inlines functions of one part into another.
"""

from __future__ import annotations

import ast
import os
import shutil
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

HERE = Path(__file__).resolve().parent
SHARED = ("engine/bits.py", "engine/digest.py", "engine/completion_base.py")
PARTS = {
    "engine.turns.core.whole": (
        "tables",
        "readable",
        "core",
        "state",
        "generation",
        "applying",
        "undoing",
        "playouts",
        "planning",
        "hashing",
        "completions",
        "dealing",
        "observing",
        "texts",
        "buffers",
        "opponents",
        "batch",
        "snapshots",
        "proofs",
        "solving",
        "features",
        "valuing",
        "lines",
        "learning",
    ),
    "engine.ticks.core.whole": ("tables", "core", "state", "actions", "playouts", "planning", "completions"),
    "referee.turns.whole": ("stepper", "fast_game", "rally"),
    "sandbox.exchange": ("exchange",),
}
"""The parts of each extension module, in the order in which they are joined."""
SAFE = "# cython: language_level=3\n"
"""For what takes lists and texts as Python has them."""
DIRECTIVES = (
    "# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True\n"
    "# cython: initializedcheck=False\n"
    "# cython: overflowcheck=False, embedsignature=True\n"
)
FLAGS = ["-O2", "-g0", "-ffp-contract=off"]
"""Without what only a debugger reads, which takes a sixth of the compiler's time. -O1 would save
two fifths of it, but a clone would take a fifth longer and a playout inside the core up to 5 %."""


def join_parts(module: str) -> str:
    """The source of an extension module: its parts one after the other, without imports of each other."""
    folder = "/".join(module.split(".")[:-1])
    core = module.startswith("engine.")
    shared = SHARED if core else ()
    paths = [*shared, *(f"{folder}/{part}.py" for part in PARTS[module])]
    texts = [_without_own_imports((HERE / path).read_text(encoding="utf-8"), module) for path in paths]
    return (
        f"{DIRECTIVES if core else SAFE}from __future__ import annotations\n\nimport cython\n{''.join(texts)}"
    )


def _without_own_imports(text: str, module: str) -> str:
    """A part without its docstring and its imports of other parts."""
    own: tuple[str, ...] = (module.rpartition(".")[0], "__future__")
    if module.startswith("engine."):
        own = (*own, "engine.bits", "engine.digest", "engine.completion_base", "typing")
    lines = text.splitlines(keepends=True)
    for node in ast.parse(text).body:
        is_text = isinstance(node, ast.Expr) and node.lineno < 10
        is_own = isinstance(node, ast.ImportFrom) and str(node.module).startswith(own)
        is_cython = isinstance(node, ast.Import) and node.names[0].name == "cython"
        is_typing = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        if is_text or is_own or is_cython or is_typing:
            for number in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[number] = "\n"
    return "".join(lines)


def write_joined(folder: Path) -> dict[str, Path]:
    """Write the source of each extension module, and what it declares of C beside it; the path of each."""
    found = {}
    for module in PARTS:
        path = folder / f"{module.replace('.', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(join_parts(module), encoding="utf-8")
        declared = HERE / f"{module.replace('.', '/')}.pxd"
        if declared.exists():
            shutil.copyfile(declared, path.with_suffix(".pxd"))
        found[module] = path
    return found


def extensions() -> list[Extension]:
    """The extensions, optional: a machine without a compiler is no error."""
    written = write_joined(Path("build/joined"))
    built: list[Extension] = cythonize(  # type: ignore[no-untyped-call]
        [Extension(module, [str(path)], extra_compile_args=FLAGS) for module, path in written.items()],
        annotate=bool(os.environ.get("ENGINE_ANNOTATE")),
        quiet=True,
        nthreads=len(PARTS),
    )
    for extension in built:
        extension.optional = True  # cythonize drops it, so it is set on what comes back
    return built


if __name__ == "__main__":  # what translates the modules side by side may import this file
    setup(
        packages=[],
        ext_modules=extensions(),
        options={"build_ext": {"parallel": str(len(PARTS))}},
    )
