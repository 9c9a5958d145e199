"""What pages call the games, in the reader's language: the engine knows their English names alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from django.utils.functional import lazy
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from engine.boards import BOARDS, parse_board
from engine.boards import board_title as engine_title

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    from engine import Variant

TITLES: Final[dict[str, _StrPromise]] = {
    "crapaud": gettext_lazy("Crapaud"),
    "crapaud-kjq": gettext_lazy("Crapaud, king-jack-queen order"),
    "crapo": gettext_lazy("Crapô"),
    "crapette": gettext_lazy("Crapette"),
    "crapette-it": gettext_lazy("Crapette all'italiana"),
    "crapette-it-strict": gettext_lazy("Crapette all'italiana, strict"),
    "russian-bank": gettext_lazy("Russian Bank"),
    "vitesse": gettext_lazy("Crapette vitesse"),
}
FRONT_BOARDS: Final = ("crapaud", "crapette")
"""What lists of games show at once; the others are one click away, as a choice of ten is too many."""
SUMMARIES: Final[dict[str, _StrPromise]] = {
    "crapaud": gettext_lazy("The reserve moves only when a house is empty. No move is compulsory."),
    "crapaud-kjq": gettext_lazy(
        "Crapaud with the Portuguese order of the face cards: king, jack, queen, ten."
    ),
    "crapo": gettext_lazy("No reserve. You fill empty houses from your discard before you draw."),
    "crapette": gettext_lazy(
        "Houses build down in suit, and you must play a drawn card if you can. Two to four players."
    ),
    "crapette-it": gettext_lazy(
        "The houses are laid first, moves have an order of precedence, and your opponent may call stop."
    ),
    "crapette-it-strict": gettext_lazy("The same game, with moves out of order illegal. Nobody calls stop."),
    "russian-bank": gettext_lazy(
        "Foundation moves are compulsory, and you never play from your own discard."
    ),
    "vitesse": gettext_lazy(
        "Both players move at once, onto the foundations only. Empty your reserve, and you may call stop."
    ),
}


CHOICES: Final[list[tuple[str, _StrPromise]]] = list(TITLES.items())
"""The games as a form offers them."""


OPEN: Final = "open:"
"""What the names of open boards begin with where they stand beside others: ``open:crapette/3``."""


def variant_title(name: str) -> str:
    """What people call a game, or an open board of one; the name itself if this engine does not know it."""
    title = str(TITLES.get(name.removeprefix(OPEN), name))
    return gettext("Open board: %(game)s") % {"game": title} if name.startswith(OPEN) else title


def in_words(variant: Variant) -> Variant:
    """A game with its title and summary in the reader's language."""
    return replace(variant, title=str(TITLES[variant.name]), summary=str(SUMMARIES[variant.name]))


def board_title(name: str) -> str:
    """What people call a board, ``Crapette, 3 seats``; any text that names none is its own title."""
    if name.startswith(OPEN):
        return gettext("Open board: %(game)s") % {"game": board_title(name.removeprefix(OPEN))}
    if name not in BOARDS:
        return name
    variant, players = parse_board(name)
    title = variant_title(variant)
    if players == 2:
        return title
    return gettext("%(game)s, %(count)s seats") % {"game": title, "count": players}


LADDERS: Final = {f"Ladder: {engine_title(board)}": board for board in BOARDS}
"""The ladders as they are stored, in English, with their boards."""
OPEN_BOARDS: Final = {f"Open board: {engine_title(board)}": OPEN + board for board in BOARDS}
"""The same of open boards."""
HOUSE_ROUND_ROBIN: Final = gettext_noop("House round-robin")
"""What the site calls the tournaments of its own bots."""


def event_title(name: str) -> str:
    """What people call a tournament: in their language what the site named, any other as it was named."""
    if name in LADDERS:
        return gettext("Ladder: %(board)s") % {"board": board_title(LADDERS[name])}
    if name in OPEN_BOARDS:
        return board_title(OPEN_BOARDS[name])
    return gettext(name) if name == HOUSE_ROUND_ROBIN else name


lazy_event_title = lazy(event_title, str)
"""The same in the language of whoever reads it, for what is told to several people."""

lazy_board_title = lazy(board_title, str)
"""The same in the language of whoever reads it, for what is told to several people."""
