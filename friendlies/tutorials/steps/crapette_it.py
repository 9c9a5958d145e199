"""The steps of Crapette all'italiana."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from django.utils.translation import gettext_lazy

from friendlies.tutorials.steps import common
from friendlies.tutorials.steps.step import TutorialStep

LAY: Final = TutorialStep(
    "lay",
    gettext_lazy("First the houses are laid"),
    gettext_lazy(
        "Both players lay two cards at a time. Draw and put the card into a house, do so once more, then"
        " pass."
    ),
    gettext_lazy("After four such turns the houses are full, and play begins."),
    "./././././././.",
    "0,0/0,0/0,0/0,0",
    "4D9S6HQC5S/2C8DJH7S3H/.",
    "8S2HTD4C9D/KD6C3SJC5H/.",
    (
        "draw",
        "h-t1 h-t2 h-t3 h-t4 h-t5 h-t6 h-t7 h-t8",
        "draw",
        "h-t2 h-t1 h-t3 h-t4 h-t5 h-t6 h-t7 h-t8",
        "pass",
    ),
    phase="lay3.2",
)
FOUNDATION_FIRST: Final = TutorialStep(
    "foundation-first",
    gettext_lazy("Moves have an order"),
    gettext_lazy(
        "Foundations come first, then your opponent’s reserve, then the discard, then the houses."
        " Several cards could move: play the one"
        " that comes first."
    ),
    gettext_lazy("If you forget the order, your opponent may call stop and take over."),
    "9D2S/6CTD/KH/4C/KS/8H/KD/9S",
    "1,0/2,0/0,0/1,0",
    common.MINE,
    common.THEIRS,
    ("t1-f",),
)
RESERVE_FIRST: Final = TutorialStep(
    "reserve-first",
    gettext_lazy("The reserve comes before the discard"),
    gettext_lazy(
        "Nothing fits on a foundation. You could load the discard and the reserve of your opponent: do"
        " both, in the right order."
    ),
    gettext_lazy("Foundation, reserve, discard, house: this order holds in every turn."),
    "9S4C/6CTD/KH/QC/KS/8H/KD/TC",
    "1,0/2,0/0,0/1,0",
    common.MINE,
    common.THEIRS,
    ("t2-r1", "t1-d1"),
)
STOP: Final = TutorialStep(
    "stop",
    gettext_lazy("Call stop"),
    gettext_lazy(
        "Your opponent has put the 6♥ on the 7♠. But the A♠ of house 1 should have gone to a foundation"
        " first: call stop!"
    ),
    gettext_lazy(
        "You were right, so it is your turn now. If you call without a reason, you may not call again in"
        " this game."
    ),
    "9DAS/6H/KH/7S/KS/QC/KD/9C",
    "0,0/0,0/0,0/0,0",
    "4D9S6HQC4S/2C8DJH7S3H/.",
    common.THEIRS,
    ("> t2-t4", "stop"),
    turn=1,
)
WIN: Final = replace(
    common.WIN,
    learnt=gettext_lazy(
        "You have won, and get your opponent’s cards as points: those of the reserve count twice. That"
        " is all you need for a first game!"
    ),
)

STEPS: Final = (
    LAY,
    common.ACE,
    common.BUILD,
    common.EMPTY,
    common.RUN,
    common.RESERVE,
    common.LOAD_RESERVE,
    FOUNDATION_FIRST,
    RESERVE_FIRST,
    STOP,
    common.DRAW,
    common.DISCARD,
    WIN,
)
