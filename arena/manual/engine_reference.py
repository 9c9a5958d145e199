"""The engine's public names as a document, from their docstrings."""

from __future__ import annotations

import inspect
from functools import cache
from importlib import import_module
from typing import Any, Final

PUBLIC: Final[dict[str, tuple[str, ...]]] = {
    "engine": (),
    "engine.turns": (),
    "engine.policies": (),
    "engine.ticks": (),
    "engine.policies.halving": ("Tried", "halved"),
    "engine.policies.planner": ("search",),
    "engine.policies.valued": ("Prospect", "likely", "tried", "valuer"),
    "engine.ticks.conversion": ("to_core",),
    "engine.ticks.core": ("TickCore",),
    "engine.ticks.sampling": ("cores",),
    "engine.turns.conversion": ("card_of",),
    "engine.turns.core": ("DISCARD", "HAND", "HOUSE", "RESERVE", "Core"),
    "engine.turns.layout": ("encode", "layout"),
}
"""What authors may use and what does not change under them: these names, or all that a module's ``__all__``
has. Other names are the engine's own business."""
NOT_FOR_AUTHORS: Final = frozenset({"KIND"})


def public_names() -> dict[str, Any]:
    """What authors may use, each once, by its name with its module."""
    found: dict[str, Any] = {}
    for module, names in PUBLIC.items():
        loaded = import_module(module)
        for name in names or loaded.__all__:
            what = getattr(loaded, name)
            again = any(what is other for other in found.values()) and not isinstance(what, int)
            if name not in NOT_FOR_AUTHORS and not again:
                found[f"{module}.{name}"] = what
    return found


@cache
def engine_document() -> str:
    """Every public name of the engine, with its signature and docstring, as Markdown."""
    parts = [
        "# Engine reference",
        "Every name of the package `engine` that authors may use, made from its docstrings. In the kit it is"
        " `crapette.engine`. The [cheat sheet](/docs/cheat-sheet/) shows how they go together. What is not"
        " named here may change with any release.",
    ]
    order = sorted(
        public_names().items(),
        key=lambda one: (one[0].count(".") > 1, not inspect.isclass(one[1]), one[0].lower()),
    )
    for name, what in order:
        parts += _described(name.removeprefix("engine."), what)
    return "\n\n".join(parts)


def _described(name: str, what: Any) -> list[str]:
    if not inspect.isclass(what) and not callable(what):
        return [f"## {name}", f"A value of the type `{type(what).__name__}`."]
    found = [f"## {name}", _listing(f"{name}{_signature(what)}"), *_words(what)]
    if inspect.isclass(what):
        for member, value in sorted(vars(what).items()):
            if member.startswith("_") or not (documented := _documented(value)):
                continue
            shown = "" if isinstance(value, property) else _signature(documented)
            found += [f"### {name}.{member}", _listing(f"{member}{shown}"), *_words(documented)]
    return found


def _documented(value: Any) -> Any:
    """The function or property behind a member that has a docstring; None for others."""
    found = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
    is_one = inspect.isroutine(found) or isinstance(found, property)
    return found if is_one and inspect.getdoc(found) else None


def _signature(what: Any) -> str:
    try:
        return str(inspect.signature(what)).replace("'", "")
    except (ValueError, TypeError):
        return ""


def _words(what: Any) -> list[str]:
    """A docstring: its first paragraph as text, the rest as it is laid out."""
    first, _, rest = (inspect.getdoc(what) or "").partition("\n\n")
    return [first, *([_listing(rest)] if rest else [])]


def _listing(text: str) -> str:
    return f"```\n{text}\n```"
