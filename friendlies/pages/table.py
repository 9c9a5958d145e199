"""A person plays a bot: choosing a game, the table, what is done at it, and the replay afterwards."""

from __future__ import annotations

import json
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from allauth.account.adapter import get_adapter
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from analysis.errors import InvalidFriendly
from analysis.event_log import canonical
from analysis.questions.whatif import Asked, NotAsked
from analysis.values import covers
from arena.web.cache.pages import shared_by_strangers
from arena.web.http.idempotency import first_time
from arena.web.http.rate_limits import counted_address
from arena.web.http.refusals import BAD_FORM, form_status, refusal
from arena.web.http.requests import json_object
from arena.web.i18n.phrases import whole_day
from arena.web.variants import variant_title
from bots.house import LEVELS
from friendlies import daily as dailies
from friendlies import questions
from friendlies.games.turns import SEATS, Awaits
from friendlies.models import Daily, Friendly
from friendlies.pages import deal_field, duplicates
from friendlies.pages import games as pages
from friendlies.pages.daily import board, calendar
from friendlies.pages.new_game import NewFriendlyForm
from friendlies.pages.states import number_of, page_state
from friendlies.tables import new_games, tick_actions, turn_actions
from friendlies.tables import state as friendly
from friendlies.tables.people import GUEST, Person, person_of
from tournaments.models import Game
from tournaments.questions.responses import Thought, thoughtful, told_as_json, told_to_all

if TYPE_CHECKING:
    from datetime import date
    from uuid import UUID

    from django.http import HttpRequest

FINISHED_SHOWN = 20
HINT_STEPS = 4
BEFORE_SHOWN = 10
"""Lines of the last day's board while today's is empty."""


def player_of(request: HttpRequest) -> Person:
    """The person who asks: an account, or a guest by the word in their session."""
    return person_of(request.user, request.session, _address(request))


def _seated(request: HttpRequest) -> Person:
    """The person, who is given a word if they are a guest without one."""
    if not request.user.is_authenticated and not request.session.get(GUEST):
        request.session[GUEST] = secrets.token_hex(16)
    return player_of(request)


def _address(request: HttpRequest) -> str:
    """A keyed hash of the address: enough to count by, nothing to know anybody by."""
    address = counted_address(get_adapter(request).get_client_ip(request) or "")
    return salted_hmac("friendly.address", address).hexdigest()[:32]


def _deals(request: HttpRequest) -> str:
    """The deals that the page of a new game offers, and the day: what it depends on besides the bots."""
    return f"{dailies.today()} {duplicates.offered_list()}"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@shared_by_strangers(by=_deals)
def new_friendly(request: HttpRequest) -> HttpResponse:
    """Choose a game and an opponent; games under way and over; deals to play again."""
    player = player_of(request)
    new_games.adopt(player)
    form = NewFriendlyForm(player, request.POST or None, initial=_wished(request, player))
    if request.method == "POST" and form.is_valid():
        try:
            return redirect(new_games.start(_seated(request), form.to_request()))
        except InvalidFriendly as error:
            form.add_error(error.field or None, str(error))
    mine = player.games().select_related("version__bot", "owner")
    context = {
        "form": form,
        "running": [pages.row(row) for row in mine.filter(status=Friendly.Status.RUNNING)],
        "finished": [pages.row(row) for row in mine.filter(status=Friendly.Status.FINISHED)[:FINISHED_SHOWN]],
        "duplicates": duplicates.offered_list(),
        "daily_game": (weekly := dailies.game_of_week(dailies.today())),
        "daily_title": variant_title(weekly),
    }
    return render(request, "play/new.html", context, status=form_status(form))


def _wished(request: HttpRequest, player: Person) -> dict[str, Any]:
    """What an address asks for: ``?variant=``, ``?level=`` and ``?bot=``."""
    variant, level = request.GET.get("variant", ""), request.GET.get("level", "")
    wished: dict[str, Any] = {"variant": variant}
    if level.isascii() and level.isdigit() and 1 <= int(level[:2]) <= len(LEVELS):
        wished["level"] = int(level[:2])
    if not (bot := request.GET.get("bot")):
        return wished
    versions = new_games.choices(player).filter(bot__slug=bot)
    board = variant if variant in new_games.variants() else next(iter(new_games.variants()))
    found = versions.active_on(board).first() or versions.first()
    return {**wished, "version": found} if found else wished


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def daily(request: HttpRequest, day: date | None = None) -> HttpResponse:
    """The deal of a day with its board; POST sits down to it, or goes on with it."""
    today = dailies.today()
    found = dailies.daily_of(day or today)
    if day is not None and (found is None or not found.has_begun):
        raise Http404("expected a day with a deal")
    player = player_of(request)
    new_games.adopt(player)
    problem = ""
    if request.method == "POST" and found is not None:
        try:
            return redirect(new_games.start_daily(_seated(request), found))
        except InvalidFriendly as error:
            problem = str(error)
    tomorrow = dailies.daily_of(today + timedelta(days=1))
    shown = board(found, player) if found else None
    earlier = None
    if found:
        earlier = Daily.objects.filter(day__lt=found.day).select_related("version__bot").first()
    instead = earlier if earlier and found and found.day == today and shown and not shown.rows else None
    context = {
        "daily": found,
        "title": gettext("The daily deal")
        if found is None or found.day == today
        else gettext("The deal of %(day)s") % {"day": whole_day(found.day)},
        "is_today": found is not None and found.day == today,
        "variant": variant_title(found.variant) if found else "",
        "board": shown,
        "problem": problem,
        "tomorrow": tomorrow,
        "tomorrow_variant": variant_title(tomorrow.variant) if tomorrow else "",
        "earlier": earlier,
        "before": board(instead, player).rows[:BEFORE_SHOWN] if instead else [],
        "calendar": calendar(today, player) if found else [],
        "before_variant": variant_title(instead.variant) if instead else "",
    }
    return render(request, "play/daily.html", context, status=BAD_FORM if problem else 200)


@require_POST
def duplicate(request: HttpRequest, game_id: UUID, seat: int) -> HttpResponse:
    """Sit down to a deal that bots have played."""
    game = get_object_or_404(Game.objects.select_related("tournament"), pk=game_id)
    try:
        return redirect(new_games.start_duplicate(_seated(request), game, seat))
    except InvalidFriendly as error:
        return render(request, "play/refused.html", {"reason": str(error)}, status=BAD_FORM)


@require_POST
def rematch(request: HttpRequest, friendly_id: UUID) -> HttpResponse:
    """The same opponent once more, with new cards and the seats swapped."""
    row = _own(request, friendly_id)
    if not row.is_over:
        return redirect(row)
    try:
        return redirect(new_games.rematch(_seated(request), row))
    except InvalidFriendly as error:
        return render(request, "play/refused.html", {"reason": str(error)}, status=BAD_FORM)


@never_cache
@require_safe
def table(request: HttpRequest, friendly_id: UUID) -> HttpResponse:
    """The table for the person who plays; the replay for everybody once the game is over."""
    row = _row(friendly_id)
    player = player_of(request)
    mine = player.plays(row)
    if not mine and not row.is_over:
        return render(request, "play/private.html", status=403)
    if row.is_over:
        return redirect("play:replay", friendly_id)
    context = {
        "row": pages.row(row),
        "game": row,
        "variant": variant_title(row.variant),
        "seats": friendly.seats(row),
        "stops": new_games.variants()[row.variant].stop_calls,
        "valued": _is_valued(row),
        "next": duplicates.next_deal(row, player),
    }
    if row.in_ticks:
        return render(request, "play/ticks.html", {**context, "paces": new_games.PACES.values()})
    return render(request, "play/table.html", context)


@gzip_page
@never_cache
@require_safe
def replay(request: HttpRequest, friendly_id: UUID) -> HttpResponse:
    """A finished game in the ordinary viewer, beside what bots made of the same deal."""
    row = _row(friendly_id)
    player = player_of(request)
    mine = player.plays(row)
    if row.is_secret and not mine:
        return render(request, "play/private.html", {"daily": True}, status=403)
    if row.keeps_its_cards:
        return render(request, "play/private.html", {"daily": True, "gave_up": True}, status=403)
    if not row.is_over:
        raise Http404("expected a game that is over")
    context = {
        "row": pages.row(row),
        "game": row,
        "variant": variant_title(row.variant),
        "seats": friendly.seats(row),
        "mine": mine,
        "field": deal_field.field_of(row),
        "valued": _is_valued(row),
        "next": duplicates.next_deal(row, player) if mine else None,
    }
    return render(request, "play/replay.html", context)


@gzip_page
@never_cache
@require_safe
def state(request: HttpRequest, friendly_id: UUID) -> JsonResponse:
    """What the person's page lacks (``?length=`` events of ``?epoch=``), with the record's head if it has
    nothing."""
    row = _own(request, friendly_id)
    return JsonResponse(page_state(row, request.GET.get("length"), request.GET.get("epoch")))


@require_POST
def act(request: HttpRequest, friendly_id: UUID) -> JsonResponse:
    """Do something at the table; the answer is the new state, with the reason if it was refused."""
    row = _own(request, friendly_id)
    action = json_object(request)
    length, epoch = action.get("length"), action.get("epoch")
    if row.in_ticks:  # its actions name their tick
        refused = tick_actions.act(row.pk, action)
    else:
        refused = turn_actions.act(row.pk, action, seen=(number_of(length), number_of(epoch)))
    row = _row(friendly_id)
    found = page_state(row, length, epoch)
    return JsonResponse({**found, "refused": refused})


@require_POST
@thoughtful
def hint(request: HttpRequest, friendly_id: UUID) -> HttpResponse | Thought:
    """A hint of the step that is asked for (1 to `HINT_STEPS`)."""
    row = _own(request, friendly_id)
    if row.daily is not None:
        return refusal("daily", gettext("There are no hints in the daily deal."), 409)
    if row.rated:
        return refusal("rated", gettext("There are no hints in a rated game."), 409)
    step = json_object(request).get("step")
    # In a game in ticks the person can act until it is over.
    may_act = not row.is_over if row.in_ticks else row.awaits == Awaits.PERSON
    if type(step) is not int or not 1 <= step <= HINT_STEPS or not may_act:
        return refusal("turn", gettext("You can ask for a hint only on your turn."), 409)

    question = questions.hints(row)

    def tell(answer: bytes) -> HttpResponse:
        # However often it is asked, it is one hint.
        if first_time(f"hint {row.pk} {question.key}"):
            new_games.count_hint(row)
        return JsonResponse(json.loads(answer)[step - 1])

    return Thought(question, tell)


@gzip_page
@require_safe
def record(request: HttpRequest, friendly_id: UUID) -> HttpResponse:
    """The record of a finished game."""
    row = _finished(request, friendly_id)
    return HttpResponse(canonical(friendly.record(row)), content_type="application/json")


@gzip_page
@require_safe
@thoughtful
def explore_friendly(request: HttpRequest, friendly_id: UUID) -> HttpResponse | Thought:
    """A finished game played on, as `games.game_explore` does."""
    row = _finished(request, friendly_id)
    if row.in_ticks:
        return refusal("ticks", gettext("You can’t play on from a game in ticks."), 409)
    try:
        asked = Asked.parse(request.GET)
    except NotAsked as error:
        return refusal("query", str(error), 400)
    return Thought(questions.branch(row, asked))


@gzip_page
@require_safe
@thoughtful
def values(request: HttpRequest, friendly_id: UUID) -> HttpResponse | Thought:
    """Who was expected to win after every event of a finished game, and what luck did to it."""
    row = _valued(request, friendly_id)
    return Thought(questions.expected_question(row), told_as_json if row.is_secret else told_to_all)


@gzip_page
@require_safe
@thoughtful
def mistakes(request: HttpRequest, friendly_id: UUID) -> HttpResponse | Thought:
    """Where the planner would have done clearly better in a finished game."""
    row = _valued(request, friendly_id)
    return Thought(questions.mistakes(row), told_as_json if row.is_secret else told_to_all)


def _valued(request: HttpRequest, friendly_id: UUID) -> Friendly:
    row = _finished(request, friendly_id)
    if not _is_valued(row):
        raise Http404("expected a game with a value function")
    return row


def _is_valued(row: Friendly) -> bool:
    """Whether who was expected to win can be told once the game is over."""
    return not row.in_ticks and covers(row.variant, SEATS)


def _row(friendly_id: UUID) -> Friendly:
    row = friendly.find(friendly_id)
    if row is None:
        raise Http404(f"expected a game, got {friendly_id!r}")
    return row


def _own(request: HttpRequest, friendly_id: UUID) -> Friendly:
    """The game, if the person plays it."""
    row = _row(friendly_id)
    if not player_of(request).plays(row):
        raise Http404("expected a game of one's own")
    return row


def _finished(request: HttpRequest, friendly_id: UUID) -> Friendly:
    """A game that is over, and whose deal nobody plays any more but the one who asks."""
    row = _row(friendly_id)
    if not row.is_over or (row.is_secret and not player_of(request).plays(row)):
        raise Http404("expected a game that is over")
    if row.keeps_its_cards:
        raise PermissionDenied(gettext("You gave up this game. Its cards are shown when the day is over."))
    return row
