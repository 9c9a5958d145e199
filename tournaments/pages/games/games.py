"""Pages of games: the list, one game live or in replay, and its record."""

from __future__ import annotations

import gzip
import subprocess
import sys
import threading
import zlib
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, HttpResponsePermanentRedirect, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

import engine
from analysis.event_log import canonical
from analysis.questions.whatif import Asked, NotAsked
from arena.web.cache.pages import everybody, shared_page
from arena.web.deck.picture import miniature, svg
from arena.web.deck.piles import carry_out, piles_of
from arena.web.http.refusals import refusal
from arena.web.http.security_headers import content_policy
from arena.web.i18n.reasons import TERMINATIONS
from arena.web.storage.archives import ArchiveUnreadable
from bots.models import Bot
from tournaments.games import bundles, luck, records
from tournaments.games.records import find_game
from tournaments.games.search import evidence_for
from tournaments.models import Game, Seat
from tournaments.pages.games import game_rows as games
from tournaments.pages.games import programme
from tournaments.pages.games.filters import GamesFilter
from tournaments.pages.games.passages import last_passage
from tournaments.questions import requests
from tournaments.questions.passage_limits import MOST_PLIES
from tournaments.questions.question_types import branch, deep, expected_question, mistakes
from tournaments.questions.responses import Thought, asker_of, thoughtful, told_as_json, told_to_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime
    from uuid import UUID

    from django.http import HttpRequest


SHARE = 0.6
"""Of the events of a game: by then it has a shape, and it is not over."""


KEPT: Final = 2000
"""Final tables that a process remembers, of about a kilobyte each."""
AT_ONCE: Final = 2
"""Fewer than the threads that answer requests, which wait while they draw."""
SECONDS: Final = 20
NICE: Final = 5

_drawing: set[str] = set()
"""The addresses for which a picture is drawn, each one at a time."""
_lock = threading.Lock()


class TooManyPictures(Exception):
    """Others, or others at the same address, have pictures drawn at present."""


def picture(game: Game, address: str) -> bytes:
    """A PNG of the game after `SHARE` of its events so far; what nobody could see while it runs is hidden.

    It is drawn by a process of its own, one at a time for an `address`. Raises TooManyPictures if others have
    theirs drawn.
    """
    record = records.record(game)
    events = record["events"]
    piles = piles_of(record["start"])
    carry_out(piles, events[: int(len(events) * SHARE)])
    return _drawn(svg(piles, record["players"]), address)


def position(key: UUID, ply: int) -> str:
    """The table of a finished game after so many of its moves, as a small SVG; empty if no record is left."""
    game = records.find_game(key)
    if game is None:
        return ""
    try:
        record = records.record(game)
    except ArchiveUnreadable:
        return ""
    moves = [place for place, event in enumerate(record["events"]) if event["type"] == "move"]
    piles = piles_of(record["start"])
    carry_out(piles, record["events"][: moves[ply] if ply < len(moves) else None])
    return miniature(piles, record["players"])


def final(game: Game) -> bytes:
    """The table of a finished game as it was at the end, as a small SVG, compressed by gzip."""
    return _final(game.pk, game.finished_at)


@lru_cache(maxsize=KEPT)
def _final(key: UUID, _finished_at: datetime) -> bytes:
    """Drawn once a process: lists show the same games to many. A game that is played again ends anew."""
    game = records.find_game(key)
    if game is None:
        raise ValueError(f"expected a game, got {key}")
    record = records.record(game)
    piles = piles_of(record["start"])
    carry_out(piles, record["events"])
    return gzip.compress(miniature(piles, record["players"]).encode(), 6)


def _drawn(text: str, address: str) -> bytes:
    # Whoever waited here would keep one of the few threads that answer requests.
    with _lock:
        if address in _drawing or len(_drawing) >= AT_ONCE:
            raise TooManyPictures
        _drawing.add(address)
    try:
        command = ["nice", "-n", str(NICE), sys.executable, "-m", "arena.web.deck.png"]
        done = subprocess.run(
            command,
            cwd=settings.BASE_DIR,
            input=text.encode(),
            stdout=subprocess.PIPE,
            timeout=SECONDS,
            check=True,
        )
    finally:
        with _lock:
            _drawing.discard(address)
    return done.stdout


UNTOLD: Final = ("n", "ply", "ms")
"""Fields of events that a table finds by counting, or does not show."""


def moves(game: Game) -> dict[str, Any]:
    """Return the head of the record, and its events field by field, about half a record's size.

    A page gets the events of a game being played over its websocket, all from one attempt, so there are
    none here.
    """
    going_on = game.status in (Game.Status.QUEUED, Game.Status.RUNNING)
    events = [] if going_on else records.events(game)
    return {**records.head(game), "columns": columns(events)}


def columns(events: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return events as a list of values for each field, ``None`` where an event lacks it, or for clocks where
    nothing changed."""
    found: dict[str, list[Any]] = {}
    clocks: Any = None
    count = 0
    for event in events:
        for name, value in event.items():
            if name in UNTOLD or (name == "clocks" and value == clocks):
                continue
            column = found.setdefault(name, [])
            column.extend([None] * (count - len(column)))
            column.append(value)
        clocks = event.get("clocks")
        count += 1
    return {name: column + [None] * (count - len(column)) for name, column in found.items()}


PER_PAGE = 30


@dataclass(frozen=True, slots=True)
class Shell:
    """An empty viewer for a game of so many, in ticks or in turns."""

    players: int
    ticks: bool

    @property
    def seats(self) -> list[dict[str, str]]:
        """Seats without names: the file has them."""
        return [
            {"bot": gettext("Seat %(number)s") % {"number": number}} for number in range(1, self.players + 1)
        ]


SHELLS = (*(Shell(players, ticks=False) for players in (2, 3, 4)), Shell(2, ticks=True))
"""One of each kind of table."""


@shared_page(seconds=1, among=everybody)
@gzip_page
@require_safe
def game_list(request: HttpRequest) -> HttpResponse:
    """Games newest first, narrowed by the fields of `GamesFilter`."""
    asked = GamesFilter(request.GET, endings=TERMINATIONS)
    found = asked.narrow(Game.objects.exclude(status__in=(Game.Status.VOID, Game.Status.QUEUED)))
    page = Paginator(found.order_by("-started_at", "-order"), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": games.rows(page.object_list),  # type: ignore[arg-type]  # a part of the query above
        "filter": asked,
        "status": asked.cleaned_data.get("status", ""),
    }
    return render(request, "games/list.html", context)


@shared_page(seconds=1, among=everybody)
@gzip_page
@require_safe
def tv(request: HttpRequest) -> HttpResponse:
    """One big table and three small ones, with the games most worth watching."""
    return render(request, "games/tv.html", {"tables": programme.tables(programme.TABLES_ON_TV)})


@shared_page(seconds=1, among=everybody)
@gzip_page
@require_safe
def game_programme(request: HttpRequest) -> HttpResponse:
    """The games to watch, the best first, and the time by our clock: what pages go on with by themselves."""
    return JsonResponse({"now": timezone.now().isoformat(), "games": programme.listing()})


@shared_page(seconds=1, among=everybody)
@gzip_page
@require_safe
def game_table(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """A table with one game, for a page that shows one after the other."""
    return render(request, "games/cast.html", {"showing": programme.showing(_game(game_id)), "stage": True})


@shared_page(among=everybody)
@require_safe
def game_picture(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """The game as a picture for link previews."""
    if request.GET:
        # One picture a game: no query makes another one to draw.
        return HttpResponsePermanentRedirect(request.path)
    try:
        drawn = picture(_game(game_id), asker_of(request).address)
    except TooManyPictures:
        return refusal(
            "busy", gettext("Other pictures are being drawn. Try again in a moment."), 503, retry_after=5
        )
    return HttpResponse(drawn, content_type="image/png")


@require_safe
def game_final(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """The table of a finished game at its end, as a small picture for lists."""
    game = _game(game_id)
    if game.status != Game.Status.FINISHED:
        raise Http404(f"expected a finished game, got one that is {game.status}")
    drawn = final(game)
    zipped = "gzip" in request.headers.get("Accept-Encoding", "")
    response = HttpResponse(drawn if zipped else gzip.decompress(drawn), content_type="image/svg+xml")
    if zipped:
        response["Content-Encoding"] = "gzip"
    response["Vary"] = "Accept-Encoding"
    response["Cache-Control"] = "public, max-age=3600"
    return response


@xframe_options_exempt
@shared_page(seconds=1, among=everybody)
@gzip_page
@require_safe
def game_embed(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """One game for other sites to show within their pages: the only pages that they may frame."""
    response = render(request, "games/embed.html", {"showing": programme.showing(_game(game_id))})
    response["Content-Security-Policy"] = content_policy(frame_ancestors="*")
    return response


@shared_page(among=everybody)
@gzip_page
@require_safe
def open_record(request: HttpRequest) -> HttpResponse:
    """A page that shows a record the visitor has as a file: nothing of it is sent here."""
    return render(request, "games/open.html", {"tables": SHELLS})


def _has_no_evidence(request: HttpRequest, game_id: UUID) -> bool:
    """Whether the page of a game shows this visitor no more than others: no bot of theirs sat there."""
    user = request.user
    if user.is_staff:
        return False
    return not Seat.objects.filter(game=game_id, version__bot__in=Bot.objects.of(user)).exists()


@shared_page(among=_has_no_evidence)
@gzip_page
@require_safe
def game_detail(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """One game: the table live or in replay, with what is known about it."""
    game = _game(game_id, "luck")
    context = {
        "site": settings.SITE_URL,
        "game": game,
        "row": games.row(game),
        "showing": programme.showing(game),
        "live": game.status in (Game.Status.QUEUED, Game.Status.RUNNING),
        "void": game.status == Game.Status.VOID,
        "others": games.other_legs(game),
        "evidence": evidence_for(game, request.user),
        "luck": luck.panel(game),
        "analysed": luck.has_values(game),
        "passage": last_passage(game),
        "most": MOST_PLIES,
        "ticks": engine.variant(game.tournament.variant).in_ticks,
    }
    return render(request, "games/detail.html", context)


@gzip_page
@require_safe
def game_record(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """The record: start, events so far, and once the game is over the result and what proves it."""
    game = _game(game_id)
    found = bundles.proved_record(game)
    # The very bytes that are hashed, so that a downloaded file can be verified to the last one.
    response = HttpResponse(canonical(found), content_type="application/json")
    over = game.status == Game.Status.FINISHED and game.tournament.is_over
    # A finished game changes no more, but its seeds are revealed later.
    response["Cache-Control"] = "public, max-age=3600" if over else "no-store"
    return response


@gzip_page
@require_safe
def game_moves(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """The moves of a game as tables show them (`presenters.moves`)."""
    game = _game(game_id)
    response = JsonResponse(moves(game), json_dumps_params={"separators": (",", ":")})
    over = game.status == Game.Status.FINISHED
    response["Cache-Control"] = "public, max-age=3600" if over else "no-store"
    return response


@gzip_page
@require_safe
@thoughtful
def game_explore(request: HttpRequest, game_id: UUID) -> HttpResponse | Thought:
    """A finished game played on, by hand or by a bot (`analysis.questions.whatif.Asked`)."""
    game = _game(game_id)
    if game.status != Game.Status.FINISHED:
        return refusal("not-finished", gettext("You can play on only from a finished game."), 409)
    if engine.variant(game.tournament.variant).in_ticks:
        return refusal("ticks", gettext("You can’t play on from a game in ticks."), 409)
    try:
        asked = Asked.parse(request.GET)
    except NotAsked as error:
        return refusal("query", str(error), 400)
    return Thought(branch(game, asked))


def _game(game_id: UUID, *parts: str) -> Game:
    game = records.find_game(game_id, *parts)
    if game is None:
        raise Http404(f"expected a game, got {game_id!r}")
    return game


@gzip_page
@require_safe
@thoughtful
def game_values(request: HttpRequest, game_id: UUID) -> HttpResponse | Thought:
    """The expected result after every event, and what of its changes was luck
    (`services.questions.expected`)."""
    game = find_game(game_id)
    if game is None:
        raise Http404(f"expected a game, got {game_id!r}")
    if not luck.has_values(game):
        problem = gettext("Only finished two-player games played in turns have values.")
        return refusal("no-values", problem, 409)
    return Thought(expected_question(game), told_to_all)


@gzip_page
@require_safe
@thoughtful
def game_mistakes(request: HttpRequest, game_id: UUID) -> HttpResponse | Thought:
    """The costliest mistakes with the planner's lines (`services.questions.mistakes`)."""
    game = find_game(game_id)
    if game is None:
        raise Http404(f"expected a game, got {game_id!r}")
    if not luck.has_values(game):
        problem = gettext("Only finished two-player games played in turns are searched for mistakes.")
        return refusal("no-values", problem, 409)
    return Thought(mistakes(game), told_to_all)


@gzip_page
@require_safe
@thoughtful
def game_deep(request: HttpRequest, game_id: UUID) -> HttpResponse | Thought:
    """Oracle's judgement of a game (`services.questions.deep`), worked out only if the query says `ask`.

    Without it the answer is 204 if nobody asked yet. While it is worked on, the answer is 202 with `progress`
    in per cent, and `ahead`, how many games come before it.
    """
    game = find_game(game_id)
    if game is None:
        raise Http404(f"expected a game, got {game_id!r}")
    if game.status != Game.Status.FINISHED:
        return refusal("not-finished", _("Oracle judges only finished games."), 409)
    question = deep(game)
    if request.GET.get("ask") != "1":
        row = requests.find(question)
        if row is None:
            return HttpResponse(status=204)
        return told_as_json(zlib.decompress(bytes(row.answer or b"")))
    # Another site's page could make its visitors ask for one game after the other.
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
        return refusal("cross-site", _("Ask on the game’s page."), 403)
    return Thought(question)
