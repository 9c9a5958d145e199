"""The steps of Crapaud with the Portuguese order of the face cards."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from friendlies.tutorials.steps import common, crapaud
from friendlies.tutorials.steps.step import TutorialStep

COURT: Final = TutorialStep(
    "court",
    gettext_lazy("King, jack, queen, ten"),
    gettext_lazy(
        "Here the jack ranks above the queen. Houses go down in alternating colours: put the J♥ on the"
        " K♠, then the Q♣ on the J♥."
    ),
    gettext_lazy("A red ten would come next."),
    "9DJH/6CQC/KH/TS/KS/8H/KD/TC",
    "1,0/2,0/0,0/1,0",
    common.MINE,
    common.THEIRS,
    ("t1-t5", "t2-t5"),
)
COURT_UP: Final = TutorialStep(
    "court-up",
    gettext_lazy("Foundations go ten, queen, jack, king"),
    gettext_lazy("The spades have reached the ten. Complete them: first the Q♠, then the J♠, then the K♠."),
    gettext_lazy("The foundation is complete."),
    "9DQS/6CJS/KH/TC/KS/8H/KD/3H",
    "10,0/2,0/0,0/1,0",
    common.MINE,
    common.THEIRS,
    ("t1-f", "t2-f", "t5-f"),
)

STEPS: Final = (
    common.ACE,
    COURT_UP,
    COURT,
    common.EMPTY,
    common.RUN,
    crapaud.ROOM,
    common.LOAD_DISCARD,
    crapaud.LOAD_WITH_ROOM,
    common.OWN_DISCARD,
    common.DRAW,
    common.DISCARD,
    common.WIN,
)
