"""The engine's public names as a document, from their docstrings."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

import engine


@cache
def engine_document() -> str:
    """Every name that `engine` offers, with its signature and docstring, as Markdown."""
    parts = [
        "# Engine reference",
        "Every name of the package `engine` that authors may use, made from its docstrings. In the kit it is"
        " `crapette.engine`.",
    ]
    names = sorted(
        engine.__all__, key=lambda name: (not inspect.isclass(getattr(engine, name)), name.lower())
    )
    for name in names:
        parts += _described(name, getattr(engine, name))
    return "\n\n".join(parts)


def _described(name: str, what: Any) -> list[str]:
    if not inspect.isclass(what) and not callable(what):
        return [f"## {name}", f"A {type(what).__name__}."]
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
