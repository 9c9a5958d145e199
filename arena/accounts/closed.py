"""Why an account is closed: an app above this one knows, and says so once it is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena.accounts.models import User


class _Asked:
    """Who knows, if anybody."""

    explain: Callable[[User], str] | None = None


def explain_by(explain: Callable[[User], str]) -> None:
    """Ask this from now on. It returns the path of a page, empty if it does not know."""
    _Asked.explain = explain


def explanation(user: User) -> str:
    """The path of the page that says why an account is closed; empty if nobody knows."""
    return _Asked.explain(user) if _Asked.explain else ""
