"""The source tree of the package `crapette`, made from the project's own packages.

    src/crapette/            the SDK
    src/crapette/engine/     the engine; its imports are written for this place
    src/crapette/environments/, examples/    what bots are trained with, likewise
    src/crapette/_arena/     what the command runs, as it is in the project
    c/                       the engine's cores, translated to C
    setup.py, pyproject.toml, README.md

The command needs the project's packages by their own names (`engine`, `referee`, …), since bots in the
sandbox import the engine by that name. Nobody else may find them by such common names. So they lie in a
folder of their own.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import os
import re
import runpy
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from Cython.Build import cythonize
from setuptools import Extension

from kit.versions import cure, wheel_python

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE: Final = Path(__file__).resolve().parents[2]
TEMPLATE: Final = Path(__file__).resolve().parent / "template"
COMMANDS: Final = (
    "analysis",
    "arena/static",
    "bots/__init__.py",
    "bots/house",
    "engine",
    "kit",
    "referee",
    "sandbox",
)
TRAINING: Final = ("environments", "examples")
"""Packages of the kit that authors import as those of `crapette`."""
LEFT_OUT: Final = frozenset({"__pycache__", "training", "package"})
NOT_PACKED: Final = frozenset({".so", ".pyc", ".pxd", ".new"})
EXECUTABLES: Final = frozenset({"bots/house/greedy_c/bot", "bots/house/random_c/bot"})
"""Made for one kind of machine, and not on each."""

_IMPORTS: Final = (
    (re.compile(r"^(\s*(?:>>> )?)from engine(?=[. ])", re.MULTILINE), r"\1from crapette.engine"),
    (re.compile(r"^(\s*(?:>>> )?)import engine(?=\s|$)", re.MULTILINE), r"\1from crapette import engine"),
    (re.compile(r"^(\s*(?:>>> )?)from kit\.(environments|examples)", re.MULTILINE), r"\1from crapette.\2"),
    (re.compile(r"^from kit\.sdk\.crapette", re.MULTILINE), "from crapette"),
    (re.compile(r"^from kit\.cli import", re.MULTILINE), "from crapette._command import"),
    (re.compile(r"^import cython$", re.MULTILINE), "from crapette import _cython as cython"),
)
_WARNING: Final = """

def _warn_if_uncompiled() -> None:
    import warnings

    from crapette.engine.turns.core import COMPILED

    if not COMPILED:
        warnings.warn({words!r}, RuntimeWarning, stacklevel=2)


_warn_if_uncompiled()
"""
"""Ends the engine of the package: what an author's own program learns when it imports it."""
CORES: Final = ("turns", "ticks")
C_TYPES: Final = {
    **dict.fromkeys(
        ("int", "uint", "long", "ulonglong", "longlong", "bint", "short", "uchar", "char"), "int"
    ),
    **dict.fromkeys(("float", "double"), "float"),
}
"""What Cython's types are to a caller."""
STUB_HEAD: Final = '"""Made from the sources beside it."""\n\nfrom typing import Any, Final\n'


def write(folder: Path, version: str) -> None:
    """Write the tree into an empty or missing folder."""
    package = folder / "src" / "crapette"
    for name, path in _packed():
        _, _, inner = name.partition("/")
        if name.startswith("kit/") and inner.partition("/")[0] in TRAINING:
            _copy(path, package / inner)
        else:
            _copy(path, package / "_arena" / name)
    sdk = SOURCE / "kit" / "sdk" / "crapette"
    for path in (sdk / "__init__.py", sdk / "local.py", sdk / "notebook.py", sdk / "onnx.py"):
        _copy(path, package / path.name)
    for name, path in _packed():
        if name.startswith("engine/"):
            _copy(path, package / name)
    write_stubs(package / "engine")
    for path in package.rglob("*.py"):
        if "_arena" not in path.relative_to(package).parts:
            path.write_text(rewritten(path.read_text(encoding="utf-8")), encoding="utf-8")
    with (package / "engine" / "__init__.py").open("a", encoding="utf-8") as module:
        words = cure().replace("https://SITE", site_address() or "https://SITE")
        module.write(_WARNING.format(words=words))
    for place in (package / "_cython.py", package / "_arena" / "cython.py"):
        _copy(_pure_mode(), place)
    (package / "py.typed").touch()
    (package / "_arena" / "VERSION").write_text(f"{version}\n", encoding="utf-8")
    (package / "_arena" / "SITE").write_text(f"{site_address()}\n", encoding="utf-8")
    (package / "_arena" / "PYTHON").write_text(f"{wheel_python()}\n", encoding="utf-8")
    _copy(TEMPLATE / "command.py", package / "_command.py")
    (package / "__main__.py").write_text(
        '"""``python -m crapette`` is the command ``crapette``."""\n\n'
        "import sys\n\nfrom crapette._command import main\n\nsys.exit(main())\n",
        encoding="utf-8",
    )
    for name in ("setup.py", "README.md"):
        _copy(TEMPLATE / name, folder / name)
    project = (TEMPLATE / "pyproject.toml").read_text(encoding="utf-8")
    (folder / "pyproject.toml").write_text(
        project.replace('version = "0"', f'version = "{version}"'), encoding="utf-8"
    )
    (folder / "MANIFEST.in").write_text("graft src\ngraft c\nglobal-exclude *.pyc\n", encoding="utf-8")
    translate_cores(SOURCE, folder / "c", "crapette.engine")


def site_address() -> str:
    """The address of the site that the package is built for, as far as CRAPETTE_URL says it; else empty."""
    return os.environ.get("CRAPETTE_URL", "").rstrip("/")


def rewritten(text: str) -> str:
    """A module of the engine or the SDK with its imports as they are inside the package.

    >>> rewritten("import engine\\nfrom engine.cards import Card\\n")
    'from crapette import engine\\nfrom crapette.engine.cards import Card\\n'
    """
    for pattern, replacement in _IMPORTS:
        text = pattern.sub(replacement, text)
    return text


def digest() -> str:
    """A hash of everything that goes into the package."""
    total = hashlib.sha256(site_address().encode())
    paths = [*(path for _, path in _packed()), *sorted(TEMPLATE.iterdir()), SOURCE / "setup.py"]
    for path in [*paths, *sorted(Path(__file__).parent.glob("*.py")), _pure_mode()]:
        content = path.read_bytes()
        total.update(f"{path.name} {len(content)}\n".encode())
        total.update(content)
    return total.hexdigest()


def _packed() -> Iterator[tuple[str, Path]]:
    """The name in the project and the path of every file that goes into the package."""
    for top in COMMANDS:
        start = SOURCE / top
        for path in [start] if start.is_file() else sorted(start.rglob("*")):
            name = path.relative_to(SOURCE).as_posix()
            # C beside a module of the same name was translated from it; other C is somebody's bot.
            translated = path.suffix == ".c" and path.with_suffix(".py").exists()
            wanted = path.suffix not in NOT_PACKED and not translated and name not in EXECUTABLES
            if path.is_file() and wanted and LEFT_OUT.isdisjoint(path.relative_to(SOURCE).parts):
                yield name, path


def _pure_mode() -> Path:
    """The module of Cython that uncompiled cores import."""
    spec = importlib.util.find_spec("Cython.Shadow")
    assert spec is not None  # noqa: S101 (the project depends on Cython)
    assert spec.origin is not None  # noqa: S101
    return Path(spec.origin)


def _copy(path: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target)


def translate_cores(source: Path, target: Path, package: str) -> None:
    """Write the engine's cores as C, ``turns.c`` and ``ticks.c``, into ``target``: modules of ``package``."""
    setup: dict[str, Any] = runpy.run_path(str(source / "setup.py"), run_name="setup")
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        for module, path in setup["write_joined"](Path(scratch)).items():
            if not module.startswith("engine."):
                continue  # only the arena's referee and its sandbox
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


def write_stubs(package: Path) -> None:
    """Write ``whole.pyi`` beside each core's module in the folder of an engine, for type checkers.

    The sources say their types in Cython's words (``cython.int``), and its decorators hide methods. A checker
    that reads them takes a move for anything.
    """
    for name in CORES:
        folder = package / name / "core"
        (folder / "whole.pyi").write_text(stub_of(folder), encoding="utf-8")


def stub_of(folder: Path) -> str:
    """The stub of the names that ``whole.py`` in a core's folder has."""
    whole = ast.parse((folder / "whole.py").read_text(encoding="utf-8"))
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.py"))]
    classes = {node.name: node for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)}
    parts = [STUB_HEAD]
    for node in whole.body:
        if isinstance(node, ast.ImportFrom) and node.module and ".core." in node.module:
            source = folder / f"{node.module.rpartition('.')[2]}.py"
            tree = ast.parse(source.read_text(encoding="utf-8"))
            parts += [_stub(tree, alias.name, classes) for alias in node.names]
    return "\n".join(parts) + "\n"


def _stub(tree: ast.Module, name: str, classes: dict[str, ast.ClassDef]) -> str:
    """What callers may know of a class, function or constant of a module."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            body = _methods(node, classes).values()
            return f"class {name}:\n" + "\n".join(f"    {line}" for line in body or ["..."])
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return _signature(node)
    return f"{name}: Final[{'bool' if name == 'COMPILED' else 'int'}]"


def _methods(node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> dict[str, str]:
    """The signatures of a class's public methods, by name, with those that it inherits."""
    found: dict[str, str] = {}
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id in classes:
            found |= _methods(classes[base.id], classes)
    for one in node.body:
        if isinstance(one, ast.FunctionDef) and _is_public(one) and not _is_for_c(one):
            found[one.name] = _signature(one)
    return found


def _is_public(one: ast.FunctionDef) -> bool:
    return one.name == "__init__" or not one.name.startswith("_")


def _is_for_c(one: ast.FunctionDef) -> bool:
    """Whether only C calls it."""
    return any(ast.unparse(each) == "cython.cfunc" for each in one.decorator_list)


def _signature(one: ast.FunctionDef) -> str:
    given = one.args
    defaults = [None] * (len(given.args) - len(given.defaults)) + list(given.defaults)
    words = []
    for argument, default in zip(given.args, defaults, strict=True):
        kind = "" if argument.arg == "self" else f": {_type(argument.annotation)}"
        words.append(f"{argument.arg}{kind}{'' if default is None else ' = ...'}")
    is_property = any(ast.unparse(each) == "property" for each in one.decorator_list)
    back = "None" if one.name == "__init__" else _type(one.returns)
    head = "@property\n    " if is_property else ""
    return f"{head}def {one.name}({', '.join(words)}) -> {back}: ..."


def _type(annotation: ast.expr | None) -> str:
    """A type in Python's words."""
    if annotation is None:
        return "Any"
    if isinstance(annotation, ast.Attribute) and ast.unparse(annotation.value) == "cython":
        return C_TYPES.get(annotation.attr, "Any")
    text = ast.unparse(annotation)
    return "Any" if "cython" in text else text
