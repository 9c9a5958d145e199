"""The filters of the list of games."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.db.models import Exists, F, OuterRef, Q, Subquery
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from arena.web import variants
from arena.web.i18n import readers
from bots.models import Bot
from tournaments.models import Game, Rating, Seat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.db.models import QuerySet
    from django_stubs_ext import StrOrPromise

MOST_BOTS = 50
"""Bots that a part of a name may mean."""
STATUS = {"running": Game.Status.RUNNING, "finished": Game.Status.FINISHED}
CLOSE = {
    "3": gettext_lazy("3 cards or fewer"),
    "8": gettext_lazy("8 cards or fewer"),
    "15": gettext_lazy("15 cards or fewer"),
}


UPSET: Final = 100
"""Elo by which the loser of an upset is rated above the winner."""


def _anything(label: StrOrPromise, choices: Sequence[tuple[str, StrOrPromise]]) -> forms.ChoiceField:
    any_of_them = ("", pgettext_lazy("whatever it is", "any"))
    return forms.ChoiceField(label=label, required=False, choices=[any_of_them, *choices])


class GamesFilter(forms.Form):
    """Which games to list. What is wrong with a field is said beside it; the others narrow all the same."""

    bot = forms.CharField(label=gettext_lazy("Bot"), required=False, max_length=60)
    opponent = forms.CharField(label=gettext_lazy("Against"), required=False, max_length=60)
    variant = _anything(pgettext_lazy("kind of game", "Game"), variants.CHOICES)
    ending = _anything(gettext_lazy("Ended by"), [])
    close = _anything(gettext_lazy("Loser had left"), list(CLOSE.items()))
    upset = forms.BooleanField(required=False, widget=forms.HiddenInput)
    least = forms.IntegerField(
        label=gettext_lazy("Plies, at least"), required=False, min_value=0, max_value=100_000
    )
    most = forms.IntegerField(
        label=gettext_lazy("Plies, at most"), required=False, min_value=0, max_value=100_000
    )
    since = forms.DateField(
        label=gettext_lazy("From"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    until = forms.DateField(
        label=gettext_lazy("To"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    status = forms.ChoiceField(
        required=False, choices=[("", ""), *((name, name) for name in STATUS)], widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, endings: Mapping[str, StrOrPromise], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["ending"].choices = [  # type: ignore[attr-defined]
            ("", pgettext("whatever it is", "any")),
            *endings.items(),
        ]

    def narrow(self, games: QuerySet[Game]) -> QuerySet[Game]:
        """The games that fit every valid field."""
        self.is_valid()
        data: dict[str, Any] = self.cleaned_data
        if data.get("status"):
            games = games.filter(status=STATUS[data["status"]])
        if data.get("variant"):
            games = games.filter(tournament__variant=data["variant"])
        for name in (data.get("bot"), data.get("opponent")):
            if name:
                games = games.filter(_played(name))
        if data.get("bot") and data.get("opponent"):
            games = games.filter(_met(data["bot"], data["opponent"]))
        return _by_result(_by_date(games, data), data)

    @property
    def drawn(self) -> SafeString:
        """The fields as HTML. Drawing them takes as long as all else on the page, so without values they are
        drawn once for each language."""
        if any(self.data.get(name) for name in self.fields):
            return _drawn(self)
        return _empty(readers.current(), tuple(self.fields["ending"].choices))  # type: ignore[attr-defined]

    @property
    def is_close(self) -> bool:
        """Whether games are listed that were won by few cards."""
        return self.data.get("close") == next(iter(CLOSE))

    @property
    def is_upset(self) -> bool:
        """Whether games are listed that the weaker bot won."""
        return bool(self.data.get("upset"))

    @property
    def used(self) -> bool:
        """Whether anything beyond the tabs narrows the list."""
        return any(self.cleaned_data.get(name) for name in self.fields if name != "status")


def _drawn(form: forms.Form) -> SafeString:
    return SafeString(
        "".join(render_to_string("parts/field.html", {"field": one, "plain": True}) for one in form)
    )


@lru_cache(maxsize=8)
def _empty(language: str, endings: tuple[tuple[str, StrOrPromise], ...]) -> SafeString:
    return _drawn(GamesFilter({}, endings=dict(endings[1:])))


def _bots(name: str) -> list[int]:
    """The bots that a name means: the one of that name, else those that contain it."""
    exact = list(Bot.objects.filter(name__iexact=name).values_list("pk", flat=True)[:MOST_BOTS])
    return exact or list(Bot.objects.filter(name__icontains=name).values_list("pk", flat=True)[:MOST_BOTS])


def _played(name: str) -> Exists:
    return Exists(Seat.objects.filter(game=OuterRef("pk"), version__bot__in=_bots(name)))


def _met(name: str, other: str) -> Exists:
    """Two different seats: a bot that met itself is its own opponent only then."""
    facing = Seat.objects.filter(game=OuterRef("game"), version__bot__in=_bots(other))
    mine = Seat.objects.filter(game=OuterRef("pk"), version__bot__in=_bots(name))
    return Exists(mine.filter(Exists(facing.exclude(seat=OuterRef("seat")))))


def _by_date(games: QuerySet[Game], data: dict[str, Any]) -> QuerySet[Game]:
    """Days are those of UTC, and both ends count."""
    if data.get("since"):
        games = games.filter(started_at__gte=datetime.combine(data["since"], time.min, UTC))
    if data.get("until"):
        after = datetime.combine(data["until"], time.min, UTC) + timedelta(days=1)
        games = games.filter(started_at__lt=after)
    return games


def _by_result(games: QuerySet[Game], data: dict[str, Any]) -> QuerySet[Game]:
    if data.get("ending"):
        games = games.filter(result__termination=data["ending"])
    if data.get("least") is not None:
        games = games.filter(result__plies__gte=data["least"])
    if data.get("most") is not None:
        games = games.filter(result__plies__lte=data["most"])
    if data.get("close"):
        most = int(data["close"])
        left = Q(result__left__0__lte=most, result__left__1__lte=most)
        games = games.filter(left, tournament__players=2, result__isnull=False)
    return _upsets(games) if data.get("upset") else games


def _upsets(games: QuerySet[Game]) -> QuerySet[Game]:
    """Games between two that a version won against one which the board has `UPSET` Elo above it by now."""

    def elo(seat: int) -> Subquery:
        rated = Rating.objects.filter(
            variant=OuterRef("tournament__variant"),
            version__seats__game=OuterRef("pk"),
            version__seats__seat=seat,
        )
        return Subquery(rated.order_by().values("elo")[:1])

    games = games.filter(tournament__players=2).alias(first=elo(0), second=elo(1))
    return games.filter(
        Q(result__ranking__0=[0], second__gte=F("first") + UPSET)
        | Q(result__ranking__0=[1], first__gte=F("second") + UPSET)
    )
