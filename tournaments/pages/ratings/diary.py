"""An author's diary of a bot: its first steps and losses to fix, as parts of pages, and its worst turns."""

from __future__ import annotations

import csv
import io
import json
import shlex
import sys
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy, ngettext, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from analysis.scores import FORFEITS
from analysis.values import covers
from arena.web.i18n.phrases import count_noun
from arena.web.i18n.reasons import TERMINATIONS
from arena.web.paths import path
from arena.web.variants import variant_title
from bots.models import Bot, Version
from engine.boards import board_name
from tournaments.models import Analysis, Entry, Game, Rating, Seat, Tournament
from tournaments.pages.events.exports import plain
from tournaments.pages.games.games import position
from tournaments.pages.ratings.bot_profiles import describe_strength
from tournaments.questions import requests
from tournaments.questions.question_types import mistakes
from tournaments.questions.responses import asker_of
from tournaments.ratings.leaderboards import BoardName
from tournaments.ratings.twins import twins_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from uuid import UUID

    from django.http import HttpRequest

    from arena.accounts.models import User
    from tournaments.questions.requests import Asker

LAST_GAMES: Final = 50
TO_FIX: Final = 3
MOVES_SHOWN: Final = 6
"""Of a line that is written out."""
COLUMNS: Final = (
    "cost", "game", "kind", "version", "opponent", "seat", "ply", "played", "better", "command",
)  # fmt: skip
ASKED_AT_ONCE: Final = 4
"""Games that one look at the page has searched for mistakes: as many as one person may ask for at a time."""


@dataclass(frozen=True, slots=True)
class DiaryStep:
    """One of a version's first steps: `state` is done, now, later or failed."""

    title: str
    state: str
    words: str
    url: str = ""
    link: str = ""


def list_first_steps(version: Version) -> list[DiaryStep]:
    """From the check of a version to its place on a board, in this order."""
    steps = [_checked(version)]
    if steps[0].state == "done":
        rating = Rating.objects.filter(version=version, games__gt=0).order_by("-games", "variant").first()
        steps += [_first_game(version), *_rated(rating)]
    return steps


def _checked(version: Version) -> DiaryStep:
    title = gettext("Checked")
    if version.may_play:
        return DiaryStep(title, "done", gettext("It passed."))
    if version.is_checked:
        return DiaryStep(title, "failed", gettext("It did not pass."))
    return DiaryStep(title, "now", gettext("It is being checked."))


def _first_game(version: Version) -> DiaryStep:
    title = gettext("First game")
    games = Game.objects.filter(seats__version=version).exclude(status=Game.Status.VOID)
    begun = games.exclude(status=Game.Status.QUEUED).order_by("started_at").first()
    if begun is not None:
        url = path("games:detail", begun.pk)
        if begun.status == Game.Status.RUNNING:
            return DiaryStep(title, "now", gettext("It is being played."), url, gettext("Watch it live"))
        return DiaryStep(title, "done", "", url, gettext("Watch it"))
    ladders = Entry.objects.filter(
        version=version, tournament__format=Tournament.Format.LADDER, tournament__status="running"
    ).count()
    if games.exists():
        return DiaryStep(
            title, "now", gettext("It waits in the queue."), path("queue"), gettext("What is played before")
        )
    words = gettext("It is on %(ladders)s and plays as soon as one of them pairs it.")
    return DiaryStep(title, "now", words % {"ladders": _ladders(ladders)})


def _ladders(count: int) -> str:
    return gettext("1 ladder") if count == 1 else gettext("%(count)s ladders") % {"count": count}


def _rated(rating: Rating | None) -> list[DiaryStep]:
    titles = gettext("First rating"), gettext("Place")
    if rating is None:
        return [
            DiaryStep(titles[0], "later", gettext("After its first pair of games.")),
            DiaryStep(titles[1], "later", ""),
        ]
    board = BoardName.parse(rating.variant)
    words = gettext("%(elo)s in %(game)s") % {"elo": f"{rating.elo:.0f}", "game": board.title}
    first = DiaryStep(titles[0], "done", words, board.url, gettext("The board"))
    if rating.provisional:
        return [first, DiaryStep(titles[1], "now", gettext("It is still being measured."))]
    strength = describe_strength(rating, placed=True)
    place = gettext("%(place)s of %(of)s") % {"place": strength.place, "of": strength.of}
    return [first, DiaryStep(titles[1], "done", place, board.url, gettext("The board"))]


@dataclass(frozen=True, slots=True)
class DiaryGame:
    """A finished game of a bot between two in turns, from its seat."""

    key: UUID
    seat: int
    version: int
    opponent: str
    board: str
    finished: datetime | None
    lost: bool
    fault: str
    """How it gave the game away, in words; empty if it did not."""


@dataclass(frozen=True, slots=True)
class BadTurn:
    """A turn in which the planner would have done clearly better, or the fault that lost a game.

    `cost` is in points of a game; `ply` counts the moves before it, and is None for a fault.
    """

    game: DiaryGame
    cost: float
    ply: int | None
    played: list[str]
    better: list[str]
    command: str

    @property
    def url(self) -> str:
        """The replay, at the position before the turn."""
        page = path("games:detail", self.game.key)
        return page if self.ply is None else f"{page}#{self.ply}"

    @property
    def picture(self) -> SafeString:
        """The table before the turn, as a small SVG; after a fault, as the game ended."""
        # Drawn of rectangles alone: nothing in it comes from a person.
        return SafeString(position(self.game.key, sys.maxsize if self.ply is None else self.ply))

    @property
    def percent(self) -> int:
        """The cost in percent of a game."""
        return round(100 * self.cost)

    @property
    def played_words(self) -> str:
        """What was played, as far as a line of the page has room for it."""
        return _line_words(self.played)

    @property
    def better_words(self) -> str:
        """What would have been better, as far as there is room."""
        return _line_words(self.better)

    @property
    def game_title(self) -> str:
        """The kind of game it was."""
        return BoardName.parse(self.game.board).title


def _line_words(line: list[str]) -> str:
    """The first moves of a line, and how many follow: the replay plays them."""
    words = ", ".join(line[:MOVES_SHOWN])
    more = len(line) - MOVES_SHOWN
    if more <= 0:
        return words
    rest = ngettext("and %(more)s more", "and %(more)s more", more) % {"more": more}
    return f"{words} {rest}"


@dataclass(frozen=True, slots=True)
class BadTurns:
    """What was found in a bot's last `games`: bad turns, the costliest first, and how many games were judged;
    `waiting` are still to be judged."""

    games: int
    judged: int
    waiting: int
    turns: list[BadTurn]


def last_games(bot: Bot, most: int = LAST_GAMES) -> list[DiaryGame]:
    """The last games of a bot that can be searched for mistakes, those in which it met itself left out."""
    shown = Game.objects.filter(status=Game.Status.FINISHED, tournament__players=2)
    seats = (
        Seat.objects.filter(game__in=shown, version__bot=bot)
        .order_by("-game__finished_at", "-game")
        .values_list(
            "game", "seat", "version__number", "game__finished_at", "game__tournament__variant",
            "game__result__ranking", "game__result__termination", "game__result__culprit",
        )[: 2 * most]
    )  # fmt: skip
    rows = list(seats)
    others: dict[UUID, dict[int, tuple[str, int]]] = {}
    facing = Seat.objects.filter(game__in=[row[0] for row in rows])
    for key, seat, name, bot_key in facing.values_list("game", "seat", "version__bot__name", "version__bot"):
        others.setdefault(key, {})[seat] = (name, bot_key)
    found = []
    for key, seat, number, finished, variant, ranking, termination, culprit in rows:
        name, bot_key = others[key].get(1 - seat, ("", bot.pk))
        if bot_key == bot.pk or not covers(variant, 2) or not ranking:
            continue
        fault = str(TERMINATIONS.get(termination, termination)) if termination in FORFEITS else ""
        lost = len(ranking) > 1 and seat not in ranking[0]
        mine = fault if culprit == seat else ""
        found.append(DiaryGame(key, seat, number, name, board_name(variant, 2), finished, lost, mine))
    return found[:most]


def find_bad_turns(bot: Bot, games: Sequence[DiaryGame], asker: Asker | None = None) -> BadTurns:
    """The bad turns of a bot in these games. What nobody asked yet is asked for `asker`, a few at a time."""
    questions = {game.key: mistakes(Game(pk=game.key)) for game in games if not game.fault}
    rows = Analysis.objects.in_bulk([one.key for one in questions.values()])
    turns = [_fault(bot, game) for game in games if game.fault]
    judged, waiting = len(turns), []
    for game in games:
        if game.fault:
            continue
        row = rows.get(questions[game.key].key)
        if row is not None and row.status == Analysis.Status.DONE:
            judged += 1
            turns += _found(bot, game, json.loads(zlib.decompress(bytes(row.answer or b""))))
        elif row is None or row.status != Analysis.Status.FAILED:
            waiting.append(questions[game.key])
    if asker is not None:
        _ask(waiting, asker)
    return BadTurns(len(games), judged, len(waiting), sorted(turns, key=lambda one: -one.cost))


def _ask(questions: Iterable[Any], asker: Asker) -> None:
    for question in list(questions)[:ASKED_AT_ONCE]:
        try:
            requests.ask(question, asker)
        except requests.Busy:
            return


def _command(bot: Bot, game: DiaryGame, ply: int | None = None) -> str:
    url = f"{settings.SITE_URL}{path('games:detail', game.key)}"
    command = f"crapette rerun {shlex.quote(url)} {shlex.quote(bot.slug)}"
    return command if ply is None else f"{command} --ply {ply} --seat {game.seat}"


def _fault(bot: Bot, game: DiaryGame) -> BadTurn:
    return BadTurn(game, 1.0, None, [game.fault], [], _command(bot, game))


def _found(bot: Bot, game: DiaryGame, answer: dict[str, Any]) -> list[BadTurn]:
    return [
        BadTurn(
            game,
            one["cost"],
            one["ply"],
            [move["words"] for move in one["played"]],
            [move["words"] for move in one["better"]],
            _command(bot, game, one["ply"]),
        )
        for one in answer["mistakes"]
        if one["seat"] == game.seat
    ]


def losses_to_fix(findings: BadTurns) -> list[BadTurn]:
    """The costliest turn of each lost game, of the few that cost most."""
    worst: dict[UUID, BadTurn] = {}
    for turn in findings.turns:
        if turn.game.lost:
            worst.setdefault(turn.game.key, turn)
    return list(worst.values())[:TO_FIX]


def turns_csv(turns: Sequence[BadTurn]) -> str:
    """Bad turns, a line each; no name in it is taken for a formula."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\r\n")
    rows.writerow(COLUMNS)
    for one in turns:
        game, ply = one.game, "" if one.ply is None else one.ply
        where = (f"{settings.SITE_URL}{one.url}", game.board, game.version, plain(game.opponent))
        lines = (", ".join(one.played), ", ".join(one.better))
        rows.writerow((f"{one.cost:.3f}", *where, game.seat, ply, *lines, one.command))
    return text.getvalue()


def summary(findings: BadTurns) -> str:
    """How many games were looked through: ``38 of 50 games``."""
    return gettext("%(judged)s of %(games)s") % {
        "judged": findings.judged,
        "games": count_noun(findings.games, "game"),
    }


def kinds_of(games: Sequence[DiaryGame]) -> list[tuple[str, str]]:
    """The boards of these games with their titles."""
    return sorted({(one.board, variant_title(BoardName.parse(one.board).variant)) for one in games})


LOOKED_AT = 20
"""Games of which the losses to fix are chosen."""
TURNS_SHOWN = 100


class TurnsFilter(forms.Form):
    """Which bad turns are listed. A value that is none of the choices narrows nothing."""

    kind = forms.ChoiceField(label=pgettext_lazy("kind of game", "Game"), required=False)
    opponent = forms.ChoiceField(label=gettext_lazy("Against"), required=False)
    version = forms.ChoiceField(label=gettext_lazy("Version"), required=False)
    lost = forms.BooleanField(label=gettext_lazy("Only lost games"), required=False)

    def __init__(self, data: object, games: list[DiaryGame]) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        every = ("", pgettext_lazy("whatever it is", "any"))
        opponents = sorted({one.opponent for one in games})
        versions = sorted({one.version for one in games}, reverse=True)
        self.fields["kind"].choices = [every, *kinds_of(games)]  # type: ignore[attr-defined]
        self.fields["opponent"].choices = [every, *((one, one) for one in opponents)]  # type: ignore[attr-defined]
        self.fields["version"].choices = [every, *((str(one), f"v{one}") for one in versions)]  # type: ignore[attr-defined]

    def narrow(self, games: list[DiaryGame]) -> list[DiaryGame]:
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
    steps = list_first_steps(version)
    over = steps[-1].state in {"done", "failed"} or version.bot.is_withdrawn
    context = {"version": version, "steps": steps, "over": over}
    return render(request, "tournaments/first_steps.html", context)


@login_required
@never_cache
@require_safe
def bot_diary(request: HttpRequest, slug: str) -> HttpResponse:
    """For its owners alone: the losses to fix first, and the versions that play alike."""
    bot = _own(request, slug)
    games = last_games(bot, LOOKED_AT)
    found = find_bad_turns(bot, [one for one in games if one.lost], asker_of(request))
    context = {"bot": bot, "found": found, "losses": losses_to_fix(found), "twins": twins_of(bot)}
    return render(request, "tournaments/diary.html", context)


@login_required
@never_cache
@require_safe
def worst_turns(request: HttpRequest, slug: str) -> HttpResponse:
    """The worst turns of one's own bot in its last games, narrowed by `TurnsFilter`.

    With ``?format=csv`` they come as a table.
    """
    bot = _own(request, slug)
    every = last_games(bot)
    asked = TurnsFilter(request.GET, every)
    games = asked.narrow(every)
    if request.GET.get("format") == "csv":
        found = find_bad_turns(bot, games)
        response = HttpResponse(turns_csv(found.turns), content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{bot.slug}-turns.csv"'
        return response
    if request.GET.get("format"):
        raise Http404("expected csv, or no format")
    found = find_bad_turns(bot, games, asker_of(request))
    context = {
        "bot": bot,
        "filter": asked,
        "found": found,
        "summary": summary(found),
        "turns": found.turns[:TURNS_SHOWN],
    }
    return render(request, "tournaments/worst_turns.html", context)
