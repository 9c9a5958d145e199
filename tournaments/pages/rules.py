"""The rules of each variant, with tables to look at and an example game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

import engine
from analysis import game_record
from arena.web.cache.pages import everybody, shared_page
from arena.web.deck.picture import miniature
from arena.web.deck.piles import piles_of
from arena.web.i18n import glossary
from arena.web.variants import FRONT_BOARDS, in_words
from engine import TickGame

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django.http import HttpRequest
    from django.utils.functional import _StrPromise
    from django_stubs_ext import StrOrPromise

    from analysis.game_record import GameRecord
    from engine import Tick
    from referee.messages import RecordEvent

DIAGRAM = (
    "crapaud 0 play - KCQHJS/TD9S8H7C6D/QCJD/2D/KSQD/9C8H7C/7S/8D 8,3/5,2/7,0/6,1 4H/5C/TD 6S/5S/9D "
    "0,0,0,.,. 0,0/./."
)
"""The position that RULES 4 works through."""

WORKED: dict[str, tuple[str, tuple[tuple[str, _StrPromise], ...]]] = {
    "crapaud": (
        DIAGRAM,
        (
            ("t8-f", gettext_lazy("The eight goes up and leaves an empty house: now there is room.")),
            (
                "t7-r1",
                gettext_lazy(
                    "With room, the seven loads the six on the other reserve. That empties a second house."
                ),
            ),
            ("d-t1", gettext_lazy("The ten from the discard goes on the jack.")),
            (
                "t6-t7",
                gettext_lazy(
                    "With two empty houses, three cards can move one by one: the seven to the first,"
                ),
            ),
            ("t6-t8", gettext_lazy("the eight to the second,")),
            ("t6-t1", gettext_lazy("the nine to its new place,")),
            ("t8-t1", gettext_lazy("and back on top: the eight,")),
            ("t7-t1", gettext_lazy("and the seven. Now three houses are empty.")),
        ),
    ),
}
SEED = "c0ffee" + "0" * 58
PLIES = 60


def record(variant: str) -> GameRecord:
    """The example of a variant as a record: the worked one, else the beginning of a sensible game."""
    if engine.variant(variant).in_ticks:
        start, events = play_tick_example()
    elif variant in WORKED:
        start, steps = WORKED[variant]
        events = _events(engine.TurnGame(engine.TurnPosition.parse(start)), steps)
    else:
        game = engine.TurnGame.deal(variant, SEED)
        start = str(game.position)
        events = _events(game, ())
        while not game.finished and game.ply < PLIES:
            events += _events(game, ((sensible(game), ""),), len(events))
    head = game_record.head(
        game=f"example-{variant}",
        variant=variant,
        seats=[game_record.seat_head(gettext("Player %(number)s") % {"number": number}) for number in (1, 2)],
        start=start,
        status="finished",
    )
    return game_record.whole(head, cast("list[RecordEvent]", events))


def sensible(game: engine.TurnGame) -> str:
    """A regular move: to a foundation, on an opponent's pile, to a house from an own pile, or on with it."""
    legal = [move for move in game.legal_moves() if not game.irregular(move)]
    for wanted in ("f", "r", "d1" if game.turn == 0 else "d0"):
        for move in legal:
            if move.partition("-")[2].startswith(wanted):
                return move
    for move in legal:
        if "-t" in move and not move.startswith("t"):
            return move
    return next((move for move in legal if move in ("draw", "h-d", "pass")), legal[0])


def _events(
    game: engine.TurnGame, steps: Sequence[tuple[str, StrOrPromise]], known: int = 0
) -> list[dict[str, Any]]:
    found = []
    for number, (move, words) in enumerate(steps, start=known):
        event = {**game.push(move).as_dict(), "n": number, "ply": game.ply}
        found.append({**event, "comment": str(words)} if words else event)
    return found


TICK_SEED = f"{259:064x}"
"""A short game in which both want the same foundation early on."""
MOST_TICKS = 400
WISHES = ("r-f", "s1-f", "s2-f", "s3-f", "s4-f", "d-f", "turn")
"""What a sensible seat does, if it can: the reserve is to be emptied."""

FIRSTS: tuple[tuple[_StrPromise, Callable[[Tick], bool]], ...] = (
    (
        gettext_lazy("No card can go up, so the top of the hand is turned onto the discard."),
        lambda tick: "turn" in tick.actions,
    ),
    (
        gettext_lazy("A slot’s card goes up, and the slot is filled from the reserve at once."),
        lambda tick: any(done.refill for done in tick.done),
    ),
    (
        gettext_lazy(
            "Both wanted this place. The player with priority gets it, and the other card goes back."
        ),
        lambda tick: any(done.missed for done in tick.done),
    ),
    (
        gettext_lazy("The hand was empty, so the discard is turned over first."),
        lambda tick: any(done.flip is not None for done in tick.done),
    ),
    (
        gettext_lazy("A king completes the foundation: 10 points."),
        lambda tick: any(done.completed for done in tick.done),
    ),
    (
        gettext_lazy("The reserve is empty and this player has more points: “Stop, crapette!”"),
        lambda tick: tick.stopper is not None,
    ),
)
"""What is explained where it happens first."""


def play_tick_example() -> tuple[str, list[dict[str, Any]]]:
    """The line of the start of a whole game in ticks, and its events, with a word on what happens first."""
    game = TickGame.deal("vitesse", TICK_SEED)
    start = str(game.position)
    events: list[dict[str, Any]] = []
    waiting = list(FIRSTS)
    while not game.finished and game.ply < MOST_TICKS:
        tick = game.push(sensible_choice(game, 0), sensible_choice(game, 1))
        said = [words for words, happens in waiting if happens(tick)]
        waiting = [(words, happens) for words, happens in waiting if words not in said]
        event = {**tick.as_dict(), "n": len(events), "ply": game.ply}
        events.append({**event, "comments": [" ".join(map(str, said)), None]} if said else event)
    return start, events


def sensible_choice(game: TickGame, seat: int) -> str:
    """What a sensible seat chooses: a stop that wins, a card to a foundation, else a card of the hand."""
    legal = game.legal(seat)
    if "stop" in legal and _points(game, seat) + 20 > _points(game, 1 - seat):
        return "stop"
    return next((wish for wish in WISHES if wish in legal), "wait")


def _points(game: TickGame, seat: int) -> int:
    """The points of a seat as the table lies (RULES 7)."""
    return 10 * game.position.completed[seat] + 52 - game.position.seats[seat].left


LAYOUT_SEED: Final = "0" * 64
"""The deal that the pictures of the rules show."""


@shared_page(among=everybody)
@gzip_page
@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """What all the games share, and a list of them."""
    worded = _worded()
    context = {
        "groups": [[one for one in worded if (one.name in FRONT_BOARDS) is front] for front in (True, False)],
        "start": FRONT_BOARDS[0],
    }
    return render(request, "rules/index.html", context)


@shared_page(among=everybody)
@gzip_page
@require_safe
def rules_variant(request: HttpRequest, variant: str) -> HttpResponse:
    """One variant: its rules in words, and an example to step through."""
    known = _variant(variant)
    context = {
        "variant": in_words(known),
        "variants": _worded(),
        "seats": [{"bot": gettext("Player %(number)s") % {"number": number}} for number in (1, 2)],
        "worked": variant in WORKED,
    }
    return render(request, "rules/variant.html", context)


@gzip_page
@require_safe
def rules_example(request: HttpRequest, variant: str) -> JsonResponse:
    """The variant's example as a record for the viewer."""
    known = _variant(variant)
    response = JsonResponse(record(known.name), json_dumps_params={"separators": (",", ":")})
    response["Cache-Control"] = "public, max-age=3600"
    return response


@gzip_page
@cache_control(public=True, max_age=3600)
@require_safe
def rules_layout(request: HttpRequest, variant: str) -> HttpResponse:
    """The table of a variant after the deal, as a small picture."""
    start = _variant(variant)
    dealt = piles_of(str(engine.deal(start.name, LAYOUT_SEED)))
    return HttpResponse(miniature(dealt, 2), content_type="image/svg+xml")


@shared_page(among=everybody)
@gzip_page
@require_safe
def glossary_page(request: HttpRequest) -> HttpResponse:
    """The words of the field, by heading."""
    return render(request, "glossary.html", {"groups": list(glossary.groups())})


def _worded() -> list[engine.Variant]:
    return [in_words(variant) for variant in engine.VARIANTS.values()]


def _variant(name: str) -> engine.Variant:
    known = engine.VARIANTS.get(name)
    if known is None:
        raise Http404(f"expected a variant, got {name!r}")
    return known
