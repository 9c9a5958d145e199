"""The steps of Crapette all'italiana in its strict form."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from django.utils.translation import gettext_lazy

from friendlies.tutorials.steps import common, crapette_it

FOUNDATION_FIRST: Final = replace(
    crapette_it.FOUNDATION_FIRST,
    learnt=gettext_lazy("Moves out of order are not possible here, so nobody calls stop."),
)

STEPS: Final = (
    crapette_it.LAY,
    common.ACE,
    common.NEXT,
    common.BUILD,
    common.EMPTY,
    common.RUN,
    common.RESERVE,
    common.LOAD_RESERVE,
    FOUNDATION_FIRST,
    crapette_it.RESERVE_FIRST,
    common.DRAW,
    common.DISCARD,
    crapette_it.WIN,
)
