"""A passage of a game on the page from which people share it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.html import format_html
from django.utils.translation import gettext

from arena.web.paths import path
from tournaments.selectors.games import result_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tournaments.models import Game
    from tournaments.services.questions.passage_limits import Passage


PROPOSED: Final = 20
"""Moves that a choice begins with."""


@dataclass(frozen=True, slots=True)
class SharedPassage:
    """The picture's address and that of its first frame, each from the root, and what can be copied.

    `alt` says in words what the picture shows, `link` is the picture's whole address, and `embed` is HTML for
    another page.
    """

    picture: str
    still: str
    alt: str
    link: str
    embed: str
    file: str


def last_passage(game: Game) -> tuple[int, int] | None:
    """From where to where the last moves of a game go, to begin a choice with; None while it is not over."""
    result = result_of(game)
    if result is None or game.status != game.Status.FINISHED:
        return None
    return max(0, result.plies - PROPOSED), result.plies


def share_passage(passage: Passage, absolute: Callable[[str], str], *, ticks: bool) -> SharedPassage:
    """The passage, with addresses that `absolute` makes whole."""
    span = passage.game.pk, passage.first, passage.last
    told = {"first": passage.first, "last": passage.last, "game": " – ".join(passage.names)}
    if ticks:
        alt = gettext("The table from tick %(first)s to tick %(last)s of %(game)s, move by move.") % told
    else:
        alt = gettext("The table from ply %(first)s to ply %(last)s of %(game)s, move by move.") % told
    link = absolute(path("games:passage-picture", *span))
    game = f"{absolute(path('games:detail', passage.game.pk))}#{passage.first}"
    return SharedPassage(
        picture=path("games:passage-picture", *span),
        still=path("games:passage-still", *span),
        alt=alt,
        link=link,
        embed=format_html('<a href="{}"><img src="{}" alt="{}"></a>', game, link, alt),
        file=f"crapette-{passage.first}-{passage.last}.gif",
    )
