"""A person's page, whether it shows how they play, the board of people, and the end of an account."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils.translation import gettext, pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

import engine
from arena.web import charts
from arena.web.cache.pages import everybody, shared_page
from arena.web.paths import path
from arena.web.variants import board_title, variant_title
from bots.pages.account import DeleteAccountForm, account_page
from friendlies.tables.new_games import variants
from people import deletion
from people.profiles.person import (
    ENOUGH_GAMES,
    bots_of,
    events_of,
    find_person,
    find_places,
    is_measured,
    ranked_people,
    ratings_of,
    series_of,
    solver_of,
    variants_with_people,
    versions_by_key,
)
from tournaments.pages.ratings.rating_rows import interval_words
from tournaments.ratings.tallies import bot_ratings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.core.paginator import Page
    from django.http import HttpRequest, HttpResponse

    from arena.accounts.models import User
    from bots.models import Bot, Version
    from bots.pages.common import SignedInRequest
    from friendlies.models import PersonRating
    from friendlies.puzzles.models import Solver
    from tournaments.models import Tournament
    from tournaments.series.models import EventSeries

GAMES_SHOWN: Final = 10
BOARDS_SHOWN: Final = 3
"""Ratings of one bot on a person's page, its headline first."""
PER_PAGE: Final = 50
MOST_SHOWN: Final = 400.0
"""An open end of an interval is drawn so far from the rating."""


@dataclass(frozen=True, slots=True)
class PersonStrength:
    """A person's rating on a board in words; `elo` is empty below `ENOUGH_GAMES` games."""

    variant: str
    title: str
    url: str
    elo: str
    interval: str
    games: int
    wins: int
    draws: int
    losses: int
    lucky: int
    place: int
    of: int
    spark: str

    @property
    def missing(self) -> int:
        """How many games it takes until there is a rating."""
        return max(0, ENOUGH_GAMES - self.games)


@dataclass(frozen=True, slots=True)
class BotLine:
    """A bot of a person with its first ratings: (board, Elo, interval)."""

    bot: Bot
    ratings: list[tuple[str, str, str]]


@dataclass(frozen=True, slots=True)
class OpponentLine:
    """What a person made of all games against a house bot in a variant."""

    bot: str
    slug: str
    url: str
    variant: str
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """How many games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> str:
        """In percent, a draw counting half."""
        return f"{100 * (self.wins + self.draws / 2) / self.games:.0f}"


@dataclass(frozen=True, slots=True)
class GameLine:
    """A rated game of a person, with the link to its replay."""

    url: str
    bot: str
    slug: str
    version: int
    variant: str
    outcome: str
    left: str
    at: datetime


@dataclass(frozen=True, slots=True)
class PersonProfile:
    """A person's page. What they do not show is empty."""

    ratings: list[PersonStrength]
    chart: charts.Chart | None
    opponents: list[OpponentLine]
    games: list[GameLine]
    solver: Solver | None
    bots: list[BotLine]
    events: list[Tournament]
    series: list[EventSeries]


@dataclass(frozen=True, slots=True)
class PlaceLine:
    """A place on the board of people."""

    place: int
    name: str
    url: str
    elo: str
    interval: str
    provisional: bool
    rating: PersonRating
    spark: str


def load_profile(user: User, *, play: bool) -> PersonProfile:
    """A person's page; with what their own games say about them only if it may show `play`."""
    rows = ratings_of(user) if play else []
    versions = versions_by_key(
        {met[0] for one in rows for met in one.met} | {game[1] for one in rows for game in one.latest}
    )
    enough = [one for one in rows if one.games >= ENOUGH_GAMES]
    places = find_places(enough) if user.shows_play else {}
    return PersonProfile(
        [_strength(one, places) for one in rows],
        _chart(enough[0]) if enough else None,
        _opponents(rows, versions),
        _games(rows, versions),
        solver_of(user) if play else None,
        _bots(bots_of(user)),
        events_of(user),
        series_of(user),
    )


def people_board(variant: str, number: str | None) -> tuple[Page[PersonRating], list[PlaceLine]]:
    """A page of the people who show how they play, ranked by their ratings."""
    page = Paginator(ranked_people(variant=variant).select_related("user"), PER_PAGE).get_page(number)
    first = page.start_index()
    return page, [_line(first + index, one) for index, one in enumerate(page.object_list)]


def _line(place: int, one: PersonRating) -> PlaceLine:
    name = one.user.get_username()
    return PlaceLine(
        place,
        name,
        path("people:profile", name),
        _elo(one),
        interval_words(one.low, one.high),
        not is_measured(one),
        one,
        charts.spark([point[1] for point in one.curve]),
    )


def _strength(one: PersonRating, places: Mapping[str, tuple[int, int]]) -> PersonStrength:
    enough = one.games >= ENOUGH_GAMES
    place, of = places.get(one.variant, (0, 0))
    return PersonStrength(
        one.variant,
        variant_title(one.variant),
        path("people:board", one.variant),
        _elo(one) if enough else "",
        interval_words(one.low, one.high) if enough else "",
        one.games,
        one.wins,
        one.draws,
        one.losses,
        one.lucky,
        place,
        of,
        charts.spark([point[1] for point in one.curve]) if enough else "",
    )


def _elo(one: PersonRating) -> str:
    """The rating; of an open interval its end, as the middle would be the prior's."""
    if one.low is None and one.high is None:
        return "?"
    if one.high is None:
        return f"> {one.low:.0f}"
    if one.low is None:
        return f"< {one.high:.0f}"
    return f"{one.elo:.0f}"


def _bots(bots: Sequence[Bot]) -> list[BotLine]:
    ratings = bot_ratings(bots)
    return [
        BotLine(
            bot,
            [
                (board_title(one.variant), f"{one.elo:.0f}", interval_words(one.low, one.high))
                for one in ratings.get(bot.pk, [])[:BOARDS_SHOWN]
            ],
        )
        for bot in bots
    ]


def _opponents(rows: Sequence[PersonRating], versions: Mapping[int, Version]) -> list[OpponentLine]:
    """The house bots that a person met, most games first; all versions of a bot are one line."""
    summed: dict[tuple[int, str], list[int]] = {}
    bots: dict[int, Bot] = {}
    for one in rows:
        for key, *counts in one.met:
            if key not in versions:  # deleted since
                continue
            bot = versions[key].bot
            bots[bot.pk] = bot
            known = summed.setdefault((bot.pk, one.variant), [0, 0, 0])
            summed[bot.pk, one.variant] = [a + b for a, b in zip(known, counts, strict=True)]
    found = [
        OpponentLine(
            bots[key].name, bots[key].slug, bots[key].get_absolute_url(), variant_title(variant), *counts
        )
        for (key, variant), counts in summed.items()
    ]
    return sorted(found, key=lambda line: (-line.games, line.bot, line.variant))


def _games(rows: Sequence[PersonRating], versions: Mapping[int, Version]) -> list[GameLine]:
    found = [
        GameLine(
            path("play:replay", key),
            versions[version].bot.name,
            versions[version].bot.slug,
            versions[version].number,
            variant_title(one.variant),
            outcome,
            f"{mine} – {other}",
            datetime.fromisoformat(at),
        )
        for one in rows
        for key, version, outcome, mine, other, at in one.latest
        if version in versions and at
    ]
    return sorted(found, key=lambda line: line.at, reverse=True)[:GAMES_SHOWN]


def _chart(one: PersonRating) -> charts.Chart | None:
    if len(one.curve) < 2:
        return None
    points = []
    for games, elo, low, high in one.curve:
        words = gettext("After %(games)s games: %(elo)s, 95 %% interval %(interval)s") % {
            "games": games,
            "elo": f"{elo:.0f}",
            "interval": interval_words(low, high),
        }
        ends = (
            elo - MOST_SHOWN if low is None else max(low, elo - MOST_SHOWN),
            elo + MOST_SHOWN if high is None else min(high, elo + MOST_SHOWN),
        )
        points.append(charts.Point(games, elo, words, *ends))
    across = charts.Scale(points[0].x, points[-1].x)
    up = charts.around([end for point in points for end in (point.low or 0.0, point.high or 0.0)])
    by_games = {games: (elo, low, high) for games, elo, low, high in one.curve}
    # xgettext:no-python-format
    band = gettext("with its 95 % interval")
    return charts.Chart(
        gettext("Rating in %(game)s") % {"game": variant_title(one.variant)},
        [charts.curve(charts.Series("first", gettext("Elo"), points, band), across, up)],
        charts.marks_across(across),
        charts.marks_up(up),
        # xgettext:no-python-format
        [gettext("Games"), gettext("Elo"), gettext("95 % interval")],
        [
            [str(point.x), f"{by_games[int(point.x)][0]:.0f}", interval_words(*by_games[int(point.x)][1:])]
            for point in charts.thin(points, charts.MOST_ROWS)
        ],
        pgettext("axis of a chart", "Across: rated games"),
    )


def _is_strange(request: HttpRequest, name: str) -> bool:
    """Whether somebody who is signed in looks at the page of somebody else, and so sees what all see."""
    return request.user.get_username() != name


@shared_page(among=_is_strange)
@gzip_page
@require_safe
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """What a person shows: what is public anyway, and how they play if they wish so."""
    user = _person(name)
    mine = request.user == user
    found = load_profile(user, play=user.shows_play or mine)
    context = {
        "person": user,
        "mine": mine,
        "profile": found,
        "enough": ENOUGH_GAMES,
    }
    return render(request, "people/profile.html", context)


@login_required
@require_POST
def show(request: HttpRequest, name: str) -> HttpResponse:
    """Show everybody how one plays (``show=1``), or no longer; only for one's own page."""
    user = _person(name)
    if request.user != user:
        raise Http404("expected a page of one's own")
    user.shows_play = request.POST.get("show") == "1"
    user.save(update_fields=["shows_play"])
    messages.success(
        request,
        gettext("Everybody can see how you play now.")
        if user.shows_play
        else gettext("Only you can see how you play now."),
    )
    return redirect(user)


@shared_page(among=everybody)
@gzip_page
@require_safe
def board(request: HttpRequest, variant: str) -> HttpResponse:
    """The people who show how they play, ranked in a variant on the bots' scale."""
    if variant not in variants():
        raise Http404(f"expected a variant of two seats, got {variant!r}")
    page, rows = people_board(variant, request.GET.get("page"))
    known = variants_with_people() | {variant}
    context = {
        "variant": variant,
        "title": variant_title(variant),
        "boards": [(one, variant_title(one)) for one in engine.VARIANTS if one in known],
        "rows": rows,
        "page": page,
        "enough": ENOUGH_GAMES,
    }
    return render(request, "people/board.html", context)


def _person(name: str) -> User:
    found = find_person(name)
    if found is None:
        raise Http404(f"expected the name of a person, got {name!r}")
    return found


@login_required
@never_cache
@require_POST
@reauthentication_required  # type: ignore[untyped-decorator]  # whoever finds an open session cannot delete
def delete_account(request: SignedInRequest) -> HttpResponse:
    """Delete the account and its bots after asking for the password. Their games stay."""
    form = DeleteAccountForm(request.POST, expected=request.user.get_username())
    if not form.is_valid():
        return account_page(request, delete_form=form)
    user = request.user
    deletion.delete_account(user)
    logout(request)
    messages.success(request, gettext("Your account has been deleted."))
    return redirect("home")
