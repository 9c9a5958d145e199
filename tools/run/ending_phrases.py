"""Finds in the code what the referee, the sandbox and the engine may say of how a game ended.

Collected are the texts that an error of a game is raised with, those a check writes, and the words for how a
process ended. Where a text has a place for something else, a sample stands there; where it has a choice, each
choice is collected.
"""

from __future__ import annotations

import ast
from itertools import product
from typing import TYPE_CHECKING, Final

from referee.mistake_advice import _DETAIL, _STDERR, Advice, slow_advice
from sandbox.errors import BotFault
from sandbox.uploads import SMALL_ZIP
from tools.run.steps import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDERS: Final = ("referee", "sandbox", "friendlies/games", "friendlies/opponent", "friendlies/tables")
WRITERS: Final = ("bots/playing/trials.py",)
"""Modules whose functions `log` return what a check says."""
SPEAKERS: Final = frozenset(
    (
        "BrokenOff",
        "Diagnosis",
        "Forfeit",
        "GameEnding",
        "PlayerFault",
        "ProtocolError",
        "_disconnected",
        "by_forfeit",
        "forfeit",
        *(one.__name__ for one in BotFault.__subclasses__()),
    )
)
"""Calls that take such a text."""
REFUSERS: Final = frozenset(("Refused", "UploadError"))
"""Calls that take a text of why an upload is no bot."""
SAMPLES: Final = {
    "error": 'expected "moves" to name at least one move, got none',
    "fault.detail": "closed its output",
    "fault.before_ready": "closed its output",
    "self.detail": "exited with status 0",
    "left['exit']": "closed its output",
    "length": "7 plies",
    "termination": "win",
    "detail": " Won by going out.",
    "limits.get('advice', '')": SMALL_ZIP,
    "REQUIREMENTS": "requirements.txt",
    "name": "numpy",
}
"""What stands in a place that has one of these texts."""
OTHER: Final = "7"


class _Function:
    """The texts of one function, by what is assigned to its names."""

    def __init__(self, node: ast.AST) -> None:
        self.node = node
        self._assigned: dict[str, list[ast.expr]] = {}
        for one in ast.walk(node):
            if isinstance(one, ast.Assign) and len(one.targets) == 1 and isinstance(one.targets[0], ast.Name):
                self._assigned.setdefault(one.targets[0].id, []).append(one.value)

    def texts(self, node: ast.expr) -> list[str]:
        """All texts that an expression may stand for; none if it is no text."""
        match node:
            case ast.Constant(value=str(text)):
                return [text]
            case ast.JoinedStr(values=values):
                return ["".join(parts) for parts in product(*(self._part(one) for one in values))]
            case ast.IfExp(body=body, orelse=orelse):
                return self.texts(body) + self.texts(orelse)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                parts = [self.texts(one) or [OTHER] for one in (left, right)]
                return (
                    ["".join(both) for both in product(*parts)] if any(map(self.texts, (left, right))) else []
                )
            case ast.Name(id=name):
                return [text for one in self._assigned.get(name, ()) for text in self.texts(one)]
        return []

    def _part(self, node: ast.expr) -> list[str]:
        if not isinstance(node, ast.FormattedValue):
            return self.texts(node)
        said = ast.unparse(node.value)
        return [SAMPLES[said]] if said in SAMPLES else self.texts(node.value) or [OTHER]


def _functions(code: str) -> Iterator[_Function]:
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.FunctionDef):
            yield _Function(node)


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _raised(function: _Function, speakers: frozenset[str]) -> Iterator[str]:
    for node in ast.walk(function.node):
        if isinstance(node, ast.Call) and _called(node) in speakers:
            for one in node.args:
                yield from function.texts(one)


def _returned(function: _Function) -> Iterator[str]:
    """Texts that a function returns, alone or as the second of two."""
    for node in ast.walk(function.node):
        if isinstance(node, ast.Return) and node.value is not None:
            last = node.value.elts[-1] if isinstance(node.value, ast.Tuple) else node.value
            yield from function.texts(last)


def _ends() -> Iterator[str]:
    """How processes end, and games by their rules."""
    for file, names in (
        ("sandbox/exit_causes.py", {"_cause", "_by_itself", "_ended_by_us"}),
        ("referee/player.py", {"before_ready"}),
        ("engine/ticks/position.py", {"ending"}),
        ("engine/turns/position.py", {"ending"}),
        *((name, {"log"}) for name in WRITERS),
    ):
        for function in _functions((ROOT / file).read_text(encoding="utf-8")):
            if getattr(function.node, "name", "") in names:
                yield from _returned(function)


def _listed() -> Iterator[str]:
    """What a check puts together line by line."""
    for name in WRITERS:
        for function in _functions((ROOT / name).read_text(encoding="utf-8")):
            for node in ast.walk(function.node):
                inner = node.elts if isinstance(node, ast.List) else ()
                added = node.args if isinstance(node, ast.Call) and _called(node) == "append" else ()
                for one in (*inner, *added):
                    yield from function.texts(one)


def _advised() -> Iterator[str]:
    for _, text, section in (*_STDERR, *_DETAIL):
        yield str(Advice(text.format(OTHER), section))
    yield str(slow_advice(7, 0.0, looped=True))
    yield from (str(slow_advice(7, 7.0, answered=answered)) for answered in (True, False))


def said() -> set[str]:
    """Everything that is said of how a game or a check ended, in English."""
    from engine.turns.position import ENDINGS

    found = {*ENDINGS.values(), *_ends(), *_listed(), *_advised()}
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.py")):
            for function in _functions(file.read_text(encoding="utf-8")):
                found.update(_raised(function, SPEAKERS))
    return {text for text in found if " " in text}


def refused() -> set[str]:
    """Everything that is said of why an upload is no bot, in English."""
    files = sorted((ROOT / "sandbox").rglob("*.py"))
    functions = [one for file in files for one in _functions(file.read_text(encoding="utf-8"))]
    return {text for one in functions for text in _raised(one, REFUSERS)}
