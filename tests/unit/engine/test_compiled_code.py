"""The hot functions of the cores compile to C that touches no Python object."""

from pathlib import Path

import pytest

import setup

ROOT = Path(setup.__file__).parent

CORES = [module for module in setup.PARTS if module.startswith("engine.")]


@pytest.mark.parametrize("module", CORES)
def test_every_module_beside_the_core_is_a_part_of_it_or_runs_uncompiled_only(module: str) -> None:
    folder = ROOT / "/".join(module.split(".")[:-1])
    uncompiled = {"__init__", "whole", "plain", "plain_steps"}
    assert {path.stem for path in folder.glob("*.py")} - uncompiled == set(setup.PARTS[module])
