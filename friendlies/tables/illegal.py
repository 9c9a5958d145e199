"""Why a move is illegal, in the language of the person who tried it (`analysis.questions.whynot`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_noop

from analysis.questions import whynot
from arena.web.i18n.messages import reword

if TYPE_CHECKING:
    from engine import TickPosition, TurnPosition

REASONS: Final = (
    gettext_noop("No card is drawn. Draw one first."),
    gettext_noop("You have drawn %(card)s. Only that card can move."),
    gettext_noop("In this game you never play from your own discard."),
    gettext_noop("You can play only from your own piles, the houses and the drawn card."),
    gettext_noop("House %(number)s is empty."),
    gettext_noop("The reserve is empty."),
    gettext_noop("The discard is empty."),
    gettext_noop("Spades foundations need %(due)s next, not %(card)s."),
    gettext_noop("Hearts foundations need %(due)s next, not %(card)s."),
    gettext_noop("Diamonds foundations need %(due)s next, not %(card)s."),
    gettext_noop("Clubs foundations need %(due)s next, not %(card)s."),
    gettext_noop("Spades is complete."),
    gettext_noop("Hearts is complete."),
    gettext_noop("Diamonds is complete."),
    gettext_noop("Clubs is complete."),
    gettext_noop("The card is already in that house."),
    gettext_noop("Houses build down in the same suit, so %(card)s does not go on %(under)s."),
    gettext_noop("Houses build down in alternating colours, so %(card)s does not go on %(under)s."),
    gettext_noop("In this game an ace is never built on another card."),
    gettext_noop("The empty houses are needed for the cards still to be laid."),
    gettext_noop("Your reserve can go to a house only while a house is empty."),
    gettext_noop("You made %(count)s moves from house to house in a row. Make another kind of move first."),
    gettext_noop("Only a drawn card can go to your discard."),
    gettext_noop("While the houses are being laid, you can’t discard a drawn card."),
    gettext_noop("The drawn card can be played, so you must play it."),
    gettext_noop("You can load only an opponent’s piles, not your own."),
    gettext_noop("You can’t load an empty pile."),
    gettext_noop("%(top)s takes a card of its suit exactly one higher or lower, not %(card)s."),
    gettext_noop("You can’t load a reserve without an empty house."),
    gettext_noop("This card can’t go there without an empty house."),
    gettext_noop("%(card)s is drawn. Play it first."),
    gettext_noop("You can pass only when your hand and discard are both empty."),
    gettext_noop("Your hand and discard are empty. There is nothing to draw."),
    gettext_noop("You have laid enough cards this turn."),
    gettext_noop("You can turn over your discard only when no house is empty."),
    gettext_noop("Fill the empty houses from your discard before you draw."),
    gettext_noop("You can’t draw while a house is empty and you still have a reserve."),
    gettext_noop("A card can go to a foundation, and that comes first."),
    gettext_noop("Another move comes first in the order of precedence."),
    gettext_noop("The rules of this game do not allow this here."),
    gettext_noop("You can call stop once your reserve is empty."),
    gettext_noop("A card of your reserve or slots can go to a foundation. You can turn only when none can."),
    gettext_noop("Your hand and discard are empty. There is nothing to turn."),
    gettext_noop("There is no card to play there."),
    gettext_noop("%(card)s does not fit on a foundation now."),
)
"""Every reason that a page can meet; the rest answer what no page sends, and stay English."""


def why_not(position: TurnPosition, move: str) -> str:
    """Why a move is illegal here."""
    return reword(whynot.why_not(position, move), REASONS)


def why_not_in_ticks(position: TickPosition, seat: int, action: str) -> str:
    """Why an action of a seat is illegal in this tick."""
    return reword(whynot.why_not_in_ticks(position, seat, action), REASONS)
