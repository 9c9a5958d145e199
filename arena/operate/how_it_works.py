"""``/how-it-works/``: how games are played and counted, and whether everything works, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.shortcuts import render
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arena.operate.health import examine
from tournaments.operation.operator_figures import queue

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

TROUBLES: Final = {
    "database": gettext_lazy("The database does not answer: pages may be missing."),
    "broker": gettext_lazy("Messages do not arrive: new games may start late."),
    "workers": gettext_lazy("A machine that plays games has gone silent."),
    "queues": gettext_lazy("Work waits longer than usual before it is taken."),
    "sandbox": gettext_lazy("The sandbox does not hold on every machine: games wait until it does."),
    "competition": gettext_lazy("An operator has to look at a game or a rating."),
    "analysis": gettext_lazy("Analysis of finished games is late."),
    "captcha": gettext_lazy("The service that tells people from programs is away: signing up may fail."),
}
"""What a part that is not well means to a visitor; the reasons are for operators."""


@never_cache
@require_safe
def show_how_it_works(request: HttpRequest) -> HttpResponse:
    """How the arena works, with what does not work at the moment."""
    parts = examine()["parts"]
    troubles = [words for name, words in TROUBLES.items() if not parts[name]["ok"]]
    return render(request, "how_it_works.html", {"troubles": troubles, "queue": queue()})
