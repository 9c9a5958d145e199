"""What stands on top of every page for a while: an app above this one says what, once it is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from django.http import HttpRequest

# In templates/base.html.
BEGINS: Final = b"<!--banner-->"
ENDS: Final = b"<!--/banner-->"


class Banner(Protocol):
    """Decides what a visitor sees on top of a page."""

    def key(self, request: HttpRequest) -> str:
        """What tells one visitor's banner from another's; the same for as many as possible."""

    def text(self, request: HttpRequest) -> str:
        """The banner as HTML; empty if there is none."""


class _Shown:
    """Who decides, if anybody."""

    banner: Banner | None = None


def show(banner: Banner) -> None:
    """Have this decide from now on. An app calls it from ``ready``."""
    _Shown.banner = banner


def key(request: HttpRequest) -> str:
    """What a shared page depends on because of the banner."""
    return _Shown.banner.key(request) if _Shown.banner else ""


def text(request: HttpRequest) -> str:
    """The banner of a visitor as HTML."""
    return _Shown.banner.text(request) if _Shown.banner else ""
