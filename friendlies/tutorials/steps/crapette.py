"""The steps of Crapette."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from django.utils.translation import gettext_lazy

from friendlies.tutorials.steps import common
from friendlies.tutorials.steps.step import TutorialStep

BUILD_IN_SUIT: Final = TutorialStep(
    "build",
    gettext_lazy("Houses go down in suit"),
    gettext_lazy(
        "In a house, each card is one lower than the card below it and of the same suit. Put the 6♠ on"
        " the 7♠."
    ),
    gettext_lazy("The same suit as on the foundations, but downwards. The 5♣ is free now."),
    "TD5C6S/7S/KH/QC/KS/3S/KD/9C",
    "1,0/2,0/0,0/1,0",
    "4D9S6HQC5H/2C8DJH7S3H/.",
    common.THEIRS,
    ("t1-t2",),
)
RESERVE: Final = replace(
    common.RESERVE,
    words=gettext_lazy(
        "The top card of your reserve can move like the top of a house. Put your 5♠ on the 6♠."
    ),
    learnt=gettext_lazy("The first player to empty the reserve gets 10 points."),
    houses="TD6S/7S/KH/QC/KS/3S/KD/9C",
    plies=("r-t1",),
)
RUN: Final = replace(
    common.RUN,
    words=gettext_lazy(
        "Cards move one at a time, so a run needs an empty house to rest in. Bring the 9♠ and the 8♠"
        " onto the 10♠: the 8♠ goes to the"
        " empty house first."
    ),
    houses="QC9S8S/TS/KH/./KS/3S/KD/9C",
)
MUST_PLACE: Final = TutorialStep(
    "must-place",
    gettext_lazy("A drawn card must be placed"),
    gettext_lazy("Draw a card. It fits on the 7♠, so you may not discard it: place it."),
    gettext_lazy("You discard a drawn card only if it fits nowhere."),
    "TD5C/7S/KH/QC/KS/3S/KD/9C",
    "1,0/2,0/0,0/1,0",
    "4D9S6HQC5H/2C8DJH3H6S/.",
    common.THEIRS,
    ("draw", "h-t2"),
)
COMPLETE: Final = TutorialStep(
    "complete",
    gettext_lazy("Complete a foundation for 3 points"),
    gettext_lazy("Whoever plays the king completes the foundation and gets 3 points. Play the K♥."),
    gettext_lazy("At the end, the winner also gets half of the loser’s cards."),
    "9S/6C/KH/QC/KS/8H/KD/TC",
    "1,0/12,0/0,0/1,0",
    common.MINE,
    common.THEIRS,
    ("t3-f",),
)

STEPS: Final = (
    common.ACE,
    common.NEXT,
    BUILD_IN_SUIT,
    common.EMPTY,
    RUN,
    RESERVE,
    common.LOAD_DISCARD,
    common.LOAD_RESERVE,
    common.OWN_DISCARD,
    MUST_PLACE,
    common.DISCARD,
    COMPLETE,
    common.WIN,
)
