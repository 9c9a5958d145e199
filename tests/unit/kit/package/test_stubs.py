"""The types of the compiled cores, as editors and type checkers read them."""

import ast
from pathlib import Path
from types import ModuleType

import pytest

from engine.ticks import core as ticks
from engine.turns import core as turns
from kit.package.stubs import stub_of

ENGINE = Path(__file__).parents[4] / "engine"


@pytest.mark.parametrize(("name", "core"), [("turns", turns), ("ticks", ticks)])
def test_a_stub_has_what_a_core_has(name: str, core: ModuleType) -> None:
    stub = ast.parse(stub_of(ENGINE / name / "core"))
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    others = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
    others |= {ast.unparse(node.target) for node in stub.body if isinstance(node, ast.AnnAssign)}
    assert classes.keys() | others == set(core.__all__)
    for each, node in classes.items():
        methods = {one.name for one in node.body if isinstance(one, ast.FunctionDef)} - {"__init__"}
        made = getattr(core, each)
        real = {word for word in dir(made) if not word.startswith("_")}
        assert methods <= real, each
        assert [word for word in real - methods if callable(getattr(made, word))] == [], each
