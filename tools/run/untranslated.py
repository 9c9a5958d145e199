"""Finds what people read in Python and in scripts that is not marked for translation.

A text counts if it looks like a sentence or a label: a capital letter, and two words in a row. It may stand
without a mark where only operators, programs or authors of programs read it (`ENGLISH`), where it begins with
"Expected", as we begin what we tell programs, or where the catalogues have it because it is marked elsewhere
(`arena.web.i18n.messages`).
"""

from __future__ import annotations

import ast
import re
from functools import cache
from typing import TYPE_CHECKING, Final

from arena.web.i18n.messages import PLACE
from tools.run.catalogue_update import extracted
from tools.run.steps import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

APPS: Final = (
    "arena",
    "bots",
    "friendlies",
    "people",
    "tournaments",
)
SCRIPTS: Final = ROOT / "arena/static/js"
COMMANDS: Final = "/management/"
ENGLISH: Final = {
    "for operators": (
        "arena/accounts/captcha.py",
        "arena/accounts/admin_site.py",
        "arena/web/apps.py",
        "arena/web/worker_access.py",
        "arena/web/models.py",
        "arena/run/embedded/",
        "arena/env.py",
        "arena/run/join.py",
        "arena/operate/backups/",
        "arena/operate/metrics.py",
        "arena/operate/overview.py",
        "arena/settings.py",
        "arena/run/worker.py",
        "arena/run/workers/",
        "people/moderation/",
        "arena/notices/models.py",
        "tournaments/models/analysis.py",
        "tournaments/series/ladder_seasons.py",
        "tournaments/questions/leases.py",
        "tournaments/questions/worker.py",
        "tournaments/operation/hosts.py",
        "tournaments/games/attempts.py",
        "tournaments/ratings/audit.py",
    ),
    "for programs": (
        "arena/api/",
        "people/classes/api.py",
        "people/profiles/api.py",
        "tournaments/api/",
        "tournaments/challenges/api.py",
        "tournaments/series/api.py",
        "arena/web/http/refusals.py",
        "arena/web/live/websocket_limits.py",
        "arena/web/http/outbound.py",
        "arena/web/cache/versions.py",
        "arena/run/http_connections.py",
        "bots/api/",
        "bots/remote/admission.py",
        "bots/remote/socket.py",
        "bots/tokens.py",
        "arena/notices/delivery.py",
    ),
    "for authors of programs": (
        "arena/manual/",
        "bots/house_bots.py",
        "bots/playing/trials.py",
        "tournaments/games/public_data.py",
    ),
    "in records of games, as the referee writes": (
        "friendlies/games/",
        "friendlies/opponent/",
        "friendlies/tables/turn_actions.py",
        "friendlies/tables/idle.py",
    ),
    "the same in every language": ("arena/web/installable_app.py", "bots/house/", "bots/teams/departures.py"),
}
"""Where texts stay English, by who reads them."""
MARKS: Final = frozenset(
    f"{kind}gettext{lazy}" for kind in ("", "n", "p", "np") for lazy in ("", "_lazy", "_noop")
) | {"_"}
UNREAD: Final = frozenset(
    (
        "AssertionError",
        "ImproperlyConfigured",
        "KeyError",
        "LookupError",
        "NotImplementedError",
        "RuntimeError",
        "RunSQL",
        "SystemExit",
        "TypeError",
        "ValueError",
        "execute",
        "log",
        "print",
    )
)
"""What takes texts that no visitor reads."""
UNSAID: Final = frozenset(("help_text", "verbose_name", "verbose_name_plural"))
"""Names in models, which only the admin shows."""
HOLE: Final = "\ue000"
PROSE: Final = re.compile(rf"^[A-Z][\w’'{HOLE}]*,? ?.*?[^\W\d_]{{2,}} [\w’'“‘(%{HOLE}]")
ONE_WORD: Final = re.compile(r"^[A-Z][a-z]+[.!?…]$")
NAMES: Final = re.compile(r"^(Expected |Crapette Arena|Cloudflare Turnstile|[A-Z]{3,}[ ,:])")
SCRIPT_TOKEN: Final = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`", re.DOTALL
)
IN_SCRIPT: Final = re.compile(rf"[^\W\d_]{{2,}}[,.:]? [^\W\d_]{{2,}}[,.:]? [\w’“({HOLE}]")
SCRIPT_MARK: Final = re.compile(r"\b[np]{0,2}gettext\((?:[^()]*,)?\s*$")
PLACED: Final = re.compile(r"\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")
LIST: Final = re.compile(r"[\w-]+(\S*, [\w-]+)+[^.]*")
"""Of selectors or typefaces."""
ENGLISH_SCRIPTS: Final = ("pages/offline.js", "replay/position.js", "ticks/position.js")
"""The viewer without a site, and parts of what is said to whoever made a record that cannot be read."""


def is_prose(text: str) -> bool:
    """Whether a text looks like something that people read."""
    return bool((PROSE.search(text) or ONE_WORD.search(text)) and not NAMES.search(text))


class _Literals(ast.NodeVisitor):
    """Finds the texts of a module that are neither marked nor documentation."""

    def __init__(self) -> None:
        self.found: list[tuple[int, str]] = []

    def visit_Call(self, node: ast.Call) -> None:
        """Skip what is marked, and what no visitor reads."""
        name, first = _name(node.func), _first(node.func)
        if name not in MARKS | UNREAD and first not in UNREAD:
            for one in (node.func, *node.args):
                self.visit(one)
            for word in node.keywords:
                if word.arg not in UNSAID:
                    self.visit(word.value)

    def visit_Expr(self, node: ast.Expr) -> None:
        """Skip docstrings."""
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        """Skip what only a mistake of ours shows."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Skip the type."""
        if node.value is not None:
            self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        """Skip names in models."""
        if not any(isinstance(one, ast.Name) and one.id in UNSAID for one in node.targets):
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Skip the types."""
        for one in (*node.decorator_list, *node.args.defaults, *node.args.kw_defaults, *node.body):
            if one is not None:
                self.visit(one)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Note a text."""
        if isinstance(node.value, str):
            self._note(node, node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Note a text with holes."""
        parts = (str(one.value) if isinstance(one, ast.Constant) else HOLE for one in node.values)
        self._note(node, "".join(parts))

    def _note(self, node: ast.expr, text: str) -> None:
        if is_prose(text):
            self.found.append((node.lineno, text))


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _first(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def in_python(code: str) -> list[tuple[int, str]]:
    """The line and the text of each literal in a module that people read and nobody marked."""
    finder = _Literals()
    finder.visit(ast.parse(code))
    return finder.found


def in_script(code: str) -> Iterator[tuple[int, str]]:
    """The same in a script; of a template literal, what stands between its values."""
    for token in SCRIPT_TOKEN.finditer(code):
        text = token[0]
        if text.startswith("/") or SCRIPT_MARK.search(code[: token.start()].rstrip()):
            continue
        text = PLACED.sub(HOLE, text[1:-1])
        if IN_SCRIPT.search(text) and not text.startswith("expected ") and not LIST.fullmatch(text):
            yield code.count("\n", 0, token.start()) + 1, text


@cache
def _translated() -> frozenset[str]:
    """All texts that the catalogues have, with holes."""
    return frozenset(PLACE.sub(HOLE, entry.msgid) for texts in extracted().values() for entry in texts)


def _stays_english(name: str) -> bool:
    return COMMANDS in name or any(name.startswith(place) for places in ENGLISH.values() for place in places)


def unmarked(root: Path = ROOT) -> Iterator[str]:
    """What people read in the code and nobody marked."""
    for app in APPS:
        for file in sorted((root / app).rglob("*.py")):
            name = file.relative_to(root).as_posix()
            if "/migrations/" in name or file.stem == "admin" or "/admin/" in name or _stays_english(name):
                continue
            for line, text in in_python(file.read_text(encoding="utf-8")):
                if text not in _translated():
                    yield f"{name}:{line}: not marked for translation: {_shown(text)}"
    for file in sorted((root / SCRIPTS.relative_to(ROOT)).rglob("*.js")):
        name = file.relative_to(root).as_posix()
        if not name.endswith(ENGLISH_SCRIPTS):
            for line, text in in_script(file.read_text(encoding="utf-8")):
                yield f"{name}:{line}: not marked for translation: {_shown(text)}"


def _shown(text: str) -> str:
    return repr(text.replace(HOLE, "…")[:100])
