"""The kinds of questions that an analysis process answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Arguments = Mapping[str, Any]


class Gone(Exception):
    """What was asked about has changed or is no longer there."""


@dataclass(frozen=True, slots=True)
class QuestionKind:
    """How a kind of question is answered, and after how many seconds nobody should wait for it any more.

    The answer is JSON; None says that it is kept elsewhere. `tell` is called once it is stored. One that
    `reports` is also given a function to be told what share of the work is done, from 0 to 1.
    """

    answer: Callable[..., Any | None]
    seconds: float
    tell: Callable[[Arguments], None] | None = None
    reports: bool = False
