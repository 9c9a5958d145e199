"""The steps of Crapaud."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from django.utils.translation import gettext_lazy

from friendlies.tutorials.steps import common
from friendlies.tutorials.steps.step import TutorialStep

ROOM: Final = TutorialStep(
    "room",
    gettext_lazy("Your reserve waits for an empty house"),
    gettext_lazy(
        "Your reserve can go to a house only while a house is empty. Make room: put the 6♥ on the 7♠,"
        " then the 5♠ of your reserve on the 6♥."
    ),
    gettext_lazy("You could also have put it into the empty house. It may go to a foundation at any time."),
    "6H/7S/KH/QC/KS/3S/KD/9C",
    "1,0/2,0/0,0/1,0",
    common.MINE,
    common.THEIRS,
    ("t1-t2", "r-t2 r-t1"),
)
LOAD_WITH_ROOM: Final = replace(
    common.LOAD_RESERVE,
    words=gettext_lazy(
        "While a house is empty, you may load your opponent’s reserve by the same rule: same suit, one"
        " higher or one lower. Load the 8♦ and"
        " then the 7♦ onto the 9♦."
    ),
)

STEPS: Final = (
    common.ACE,
    common.NEXT,
    common.BUILD,
    common.EMPTY,
    common.RUN,
    ROOM,
    common.LOAD_DISCARD,
    LOAD_WITH_ROOM,
    common.OWN_DISCARD,
    common.DRAW,
    common.DISCARD,
    common.WIN,
)
