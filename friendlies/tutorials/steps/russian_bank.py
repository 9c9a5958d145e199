"""The steps of Russian Bank."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from django.utils.translation import gettext_lazy

from friendlies.tutorials.steps import common
from friendlies.tutorials.steps.step import TutorialStep

COMPULSORY: Final = TutorialStep(
    "compulsory",
    gettext_lazy("Foundations are compulsory"),
    gettext_lazy(
        "If a card can go to a foundation, you can make no other move. Play the 2♠, then the 3♠ that it"
        " sets free."
    ),
    gettext_lazy("Only now may you do anything else."),
    "3S2S/9H/KH/TS/KS/8H/KD/QC",
    "1,0/2,0/0,0/1,0",
    common.MINE,
    common.THEIRS,
    ("t1-f", "t1-f"),
)
RESERVE_FIRST: Final = TutorialStep(
    "reserve-first",
    gettext_lazy("Your reserve comes before all"),
    gettext_lazy(
        "Two cards fit on foundations: the 2♥ of house 1 and the 2♠ of your reserve. Start with the reserve."
    ),
    gettext_lazy("The top of your reserve goes first whenever it fits on a foundation."),
    "9D2H/6C/KH/TS/KS/8H/KD/QC",
    "1,0/1,0/0,0/1,0",
    "4D9S6HQC2S/2C8DJH7S3H/.",
    common.THEIRS,
    ("r-f", "t1-f"),
)
FILL: Final = TutorialStep(
    "fill",
    gettext_lazy("Fill empty houses from your reserve"),
    gettext_lazy(
        "While a house is empty and your reserve has cards, you can’t draw. Put your 5♠ into the empty"
        " house, then draw and place the card."
    ),
    gettext_lazy("The houses are full again, so you could draw."),
    "9S/6C/KH/./KS/8H/KD/TC",
    "1,0/2,0/0,0/1,0",
    common.MINE,
    common.THEIRS,
    ("r-t4", "draw", "h-f"),
)
DEAD_DISCARD: Final = TutorialStep(
    "dead-discard",
    gettext_lazy("Your own discard is out of play"),
    gettext_lazy(
        "The 3♥ on your discard would fit, but you never play from your own discard. Play the other 3♥,"
        " in house 1."
    ),
    gettext_lazy("Your discard comes back when your hand is empty: it is turned over and becomes your hand."),
    "9S3H/6C/KH/QC/KS/8H/KD/TC",
    "1,0/2,0/0,0/1,0",
    "4D9S6HQC5S/2C8DJH7S/JS3H",
    common.THEIRS,
    ("t1-f",),
)
WIN: Final = replace(
    common.WIN,
    learnt=gettext_lazy(
        "You have won: 30 points, and more for the cards your opponent has left. That is all you need"
        " for a first game!"
    ),
)

STEPS: Final = (
    common.ACE,
    COMPULSORY,
    RESERVE_FIRST,
    common.BUILD,
    common.RUN,
    common.RESERVE,
    common.LOAD_DISCARD,
    common.LOAD_RESERVE,
    FILL,
    common.DRAW,
    common.DISCARD,
    DEAD_DISCARD,
    WIN,
)
