"""What the tutorials say: a module for each variant, named like it, and the steps that several share."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from friendlies.tutorials.steps.step import TutorialStep


@cache
def steps_of(variant: str) -> tuple[TutorialStep, ...]:
    """The steps of a variant's tutorial, in their order.

    A variant brings them along as ``STEPS`` of the module that bears its name. Raises ModuleNotFoundError.
    """
    steps: tuple[TutorialStep, ...] = import_module(f"{__name__}.{variant.replace('-', '_')}").STEPS
    return steps
