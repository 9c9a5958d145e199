"""An author's diary of a bot: its first steps and losses to fix, as parts of pages, and its worst turns."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bots.models import Bot, Version
from tournaments.pages.ratings import diary_rows as diary
from tournaments.questions.responses import asker_of
from tournaments.ratings.twins import twins_of

if TYPE_CHECKING:
    from django.http import HttpRequest

    from arena.accounts.models import User

LOOKED_AT = 20
"""Games of which the losses to fix are chosen."""
TURNS_SHOWN = 100


class TurnsFilter(forms.Form):
    """Which bad turns are listed. A value that is none of the choices narrows nothing."""

    kind = forms.ChoiceField(label=pgettext_lazy("kind of game", "Game"), required=False)
    opponent = forms.ChoiceField(label=gettext_lazy("Against"), required=False)
    version = forms.ChoiceField(label=gettext_lazy("Version"), required=False)
    lost = forms.BooleanField(label=gettext_lazy("Only lost games"), required=False)

    def __init__(self, data: object, games: list[diary.DiaryGame]) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        every = ("", pgettext_lazy("whatever it is", "any"))
        opponents = sorted({one.opponent for one in games})
        versions = sorted({one.version for one in games}, reverse=True)
        self.fields["kind"].choices = [every, *diary.kinds_of(games)]  # type: ignore[attr-defined]
        self.fields["opponent"].choices = [every, *((one, one) for one in opponents)]  # type: ignore[attr-defined]
        self.fields["version"].choices = [every, *((str(one), f"v{one}") for one in versions)]  # type: ignore[attr-defined]

    def narrow(self, games: list[diary.DiaryGame]) -> list[diary.DiaryGame]:
        """The games that fit every valid field."""
        self.is_valid()
        data = self.cleaned_data
        return [
            one
            for one in games
            if data.get("kind") in (None, "", one.board)
            and data.get("opponent") in (None, "", one.opponent)
            and data.get("version") in (None, "", str(one.version))
            and (one.lost or not data.get("lost"))
        ]


def _own(request: HttpRequest, slug: str) -> Bot:
    """A bot of the visitor's; any other is a 404, whether it exists or not."""
    return get_object_or_404(Bot.objects.of(cast("User", request.user)), slug=slug)


@login_required
@never_cache
@require_safe
def first_steps(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """How far a version of one's own is: a part of pages, which asks again until the last step is done."""
    version = get_object_or_404(Version.objects.select_related("bot"), bot=_own(request, slug), number=number)
    steps = diary.first_steps(version)
    over = steps[-1].state in {"done", "failed"} or version.bot.is_withdrawn
    context = {"version": version, "steps": steps, "over": over}
    return render(request, "tournaments/first_steps.html", context)


@login_required
@never_cache
@require_safe
def bot_diary(request: HttpRequest, slug: str) -> HttpResponse:
    """For its owners alone: the losses to fix first, and the versions that play alike."""
    bot = _own(request, slug)
    games = diary.last_games(bot, LOOKED_AT)
    found = diary.find_bad_turns(bot, [one for one in games if one.lost], asker_of(request))
    context = {"bot": bot, "found": found, "losses": diary.losses_to_fix(found), "twins": twins_of(bot)}
    return render(request, "tournaments/diary.html", context)


@login_required
@never_cache
@require_safe
def worst_turns(request: HttpRequest, slug: str) -> HttpResponse:
    """The worst turns of one's own bot in its last games, narrowed by `TurnsFilter`.

    With ``?format=csv`` they come as a table.
    """
    bot = _own(request, slug)
    every = diary.last_games(bot)
    asked = TurnsFilter(request.GET, every)
    games = asked.narrow(every)
    if request.GET.get("format") == "csv":
        found = diary.find_bad_turns(bot, games)
        response = HttpResponse(diary.turns_csv(found.turns), content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{bot.slug}-turns.csv"'
        return response
    if request.GET.get("format"):
        raise Http404("expected csv, or no format")
    found = diary.find_bad_turns(bot, games, asker_of(request))
    context = {
        "bot": bot,
        "filter": asked,
        "found": found,
        "summary": diary.summary(found),
        "turns": found.turns[:TURNS_SHOWN],
    }
    return render(request, "tournaments/worst_turns.html", context)
