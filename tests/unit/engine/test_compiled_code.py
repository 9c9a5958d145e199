"""The hot functions of the core compile to C that touches no Python object."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from Cython.Compiler import Main

if TYPE_CHECKING:
    from pathlib import Path

import engine.core

HOT = (
    "_apply",
    "_generate",
    "_generate_tops",
    "_generate_drawn",
    "_retop",
    "_spread_out",
    "_picked",
    "_undo",
    "_hash",
)


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The C code of the core."""
    target: Path = tmp_path_factory.mktemp("core") / "core.c"
    source = engine.__path__[0] + "/core.py"
    options = Main.CompilationOptions(output_file=str(target), language_level=3)  # type: ignore[attr-defined, no-untyped-call]
    Main.compile(source, options, full_module_name="engine.core")  # type: ignore[no-untyped-call]
    return target.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", HOT)
def test_a_hot_function_touches_no_python_object(code: str, name: str) -> None:
    start = re.search(rf"^static [^;]*__pyx_f_6engine_4core_4Core_{name}\([^;]*\) {{$", code, re.MULTILINE)
    assert start, f"{name} is no C function"
    body = code[start.end() : code.index("\n}\n", start.end())]
    body = re.sub(r"/\*.*?\*/", "", body, flags=re.DOTALL)
    assert re.findall(r"\b(?:PyObject|Py_[A-Z]|PyLong|PyNumber|__Pyx_Py)\w*", body) == []
