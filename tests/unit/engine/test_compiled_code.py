"""The hot functions of the cores compile to C that touches no Python object."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from Cython.Compiler import Main

if TYPE_CHECKING:
    from pathlib import Path

import engine.core

HOT = {
    "core.Core": (
        "_apply",
        "_generate",
        "_generate_tops",
        "_generate_drawn",
        "_retop",
        "_spread_out",
        "_picked",
        "_undo",
        "_hash",
        "_ranked",
        "_play_ranked",
        "_planned",
        "_gain",
        "_closes",
        "_after",
        "_piled",
        "_become",
        "_rename",
        "_same",
        "_result",
        "_margin",
    ),
    "core.Completions": ("_value", "_add", "_show", "_look_ahead", "_play_on"),
    "racecore.RaceCore": (
        "_mask",
        "_act",
        "_turn",
        "_found",
        "_look",
        "_play",
        "_picked",
        "_first",
        "_rename",
        "_become",
        "_made",
        "_same",
        "_play_greedily",
        "_choices",
        "_stop_wins",
    ),
    "racecore": ("_planned", "_worth", "_mixed"),
    "racecore.RaceCompletions": ("_value", "_add", "_show", "_shows", "_look_ahead", "_play_on", "_learn"),
}


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The C code of the cores, by module."""
    folder: Path = tmp_path_factory.mktemp("core")
    found = {}
    for module in {name.partition(".")[0] for name in HOT}:
        target = folder / f"{module}.c"
        source = f"{engine.__path__[0]}/{module}.py"
        options = Main.CompilationOptions(output_file=str(target), language_level=3)  # type: ignore[attr-defined, no-untyped-call]
        Main.compile(source, options, full_module_name=f"engine.{module}")  # type: ignore[no-untyped-call]
        found[module] = target.read_text(encoding="utf-8")
    return found


@pytest.mark.parametrize(("where", "name"), [(where, name) for where, names in HOT.items() for name in names])
def test_a_hot_function_touches_no_python_object(code: dict[str, str], where: str, name: str) -> None:
    module, _, kind = where.partition(".")
    text = code[module]
    symbol = f"__pyx_f_6engine_{len(module)}{module}_{f'{len(kind)}{kind}_' if kind else ''}{name}"
    start = re.search(rf"^static [^;]*{symbol}\([^;]*\) {{$", text, re.MULTILINE)
    assert start, f"{name} is no C function"
    body = text[start.end() : text.index("\n}\n", start.end())]
    body = re.sub(r"/\*.*?\*/", "", body, flags=re.DOTALL)
    assert re.findall(r"\b(?:PyObject|Py_[A-Z]|PyLong|PyNumber|__Pyx_Py)\w*", body) == []
