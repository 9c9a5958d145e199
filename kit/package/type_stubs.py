"""Types of the compiled cores for editors and type checkers: stubs made from the sources.

The sources say their types in Cython's words (``cython.int``), and its decorators hide methods. A checker
that reads them takes a move for anything.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

CORES: Final = ("turns", "ticks")
WORDS: Final = {
    **dict.fromkeys(
        ("int", "uint", "long", "ulonglong", "longlong", "bint", "short", "uchar", "char"), "int"
    ),
    **dict.fromkeys(("float", "double"), "float"),
}
"""What Cython's types are to a caller."""
HEAD: Final = '"""Made from the sources beside it."""\n\nfrom typing import Any, Final\n'


def write(package: Path) -> None:
    """Write ``whole.pyi`` beside each core's module in the folder of an engine."""
    for name in CORES:
        folder = package / name / "core"
        (folder / "whole.pyi").write_text(stub_of(folder), encoding="utf-8")


def stub_of(folder: Path) -> str:
    """The stub of the names that ``whole.py`` in a core's folder has."""
    whole = ast.parse((folder / "whole.py").read_text(encoding="utf-8"))
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.py"))]
    classes = {node.name: node for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)}
    parts = [HEAD]
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
        return WORDS.get(annotation.attr, "Any")
    text = ast.unparse(annotation)
    return "Any" if "cython" in text else text
