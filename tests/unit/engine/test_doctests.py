"""The examples in the engine's docstrings hold."""

import doctest
import importlib
import pkgutil

import pytest

import engine

MODULES = ["engine"] + [each.name for each in pkgutil.walk_packages(engine.__path__, "engine.")]


@pytest.mark.parametrize("name", [name for name in MODULES if name != "engine.__main__"])
def test_the_examples_of_a_module_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
