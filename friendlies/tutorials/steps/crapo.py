"""The steps of Crapô."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from friendlies.tutorials.steps import common
from friendlies.tutorials.steps.step import TutorialStep

FILL: Final = TutorialStep(
    "fill",
    gettext_lazy("Fill empty houses before you draw"),
    gettext_lazy(
        "While a house is empty and your discard has cards, you can’t draw. Put the 7♥ of your discard"
        " into the empty house, then draw and place the card."
    ),
    gettext_lazy("There is no reserve in Crapô, so empty houses are filled from the discard."),
    "9S/6C/KH/./KS/8H/KD/TC",
    "1,0/2,0/0,0/1,0",
    "./8DJH7S3H2C/JS7H",
    common.THEIRS,
    ("d-t4", "draw", "h-f"),
)

STEPS: Final = (
    common.ACE,
    common.NEXT,
    common.BUILD,
    common.EMPTY,
    common.RUN,
    common.LOAD_DISCARD,
    common.OWN_DISCARD,
    common.DRAW,
    common.DISCARD,
    FILL,
    common.TURN_OVER,
    common.WIN,
)
