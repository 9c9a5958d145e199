"""Pages of puzzles: today's and one's own figures, a puzzle at the table, and what an answer was worth."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

import engine
from analysis import game_record
from arena.web.cache.pages import shared_by_strangers
from arena.web.http.refusals import refusal
from arena.web.http.requests import json_object
from arena.web.variants import variant_title
from friendlies.games.turns import Awaits, PersonTable
from friendlies.puzzles import attempts, puzzle_searches
from friendlies.puzzles.models import Puzzle
from friendlies.tables.state import unstored_state
from friendlies.tables.turn_actions import carry_out
from tournaments.questions.responses import Thought, thoughtful

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest

    from analysis.game_record import Head
    from friendlies.puzzles.models import Attempt
    from referee.messages import RecordEvent

MOST_MOVES: Final = 300
"""Of an answer: no turn is that long."""
YOU, OPPONENT = gettext_lazy("You"), gettext_lazy("Opponent")
YOUR_PILES: Final = (gettext_lazy("Your hand"), gettext_lazy("Your discard"), gettext_lazy("Your reserve"))
OPPONENTS_PILES: Final = (
    gettext_lazy("Opponent’s hand"),
    gettext_lazy("Opponent’s discard"),
    gettext_lazy("Opponent’s reserve"),
)
LONG: Final = 10
"""Moves of a turn that is called long."""
RANKS: Final = "A23456789TJQK"
SUITS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


class NotATurn(ValueError):
    """What a page sent is not part of a turn from the puzzle's position."""


@dataclass(frozen=True, slots=True)
class FaceDown:
    """A pile whose cards are known, though they lie face down or covered; the next to come first."""

    name: str
    cards: str


@dataclass(frozen=True, slots=True)
class TableLine:
    """A line across the middle of the table: a house, the two foundations of a suit, a house; cards of the
    deck, a foundation without any is empty."""

    left: tuple[str, ...]
    foundations: list[str]
    right: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PuzzleRow:
    """A puzzle in words."""

    puzzle: Puzzle
    variant: str
    tried: str


def row_of(puzzle: Puzzle) -> PuzzleRow:
    """A puzzle in words."""
    share = (
        gettext("%(solved)s of %(tried)s solved it") % {"solved": puzzle.solved, "tried": puzzle.tried}
        if puzzle.tried
        else gettext("nobody has tried it yet")
    )
    return PuzzleRow(puzzle, variant_title(puzzle.variant), share)


def names(puzzle: Puzzle) -> list[str]:
    """What the seats are called while a puzzle is solved: who played the game is told afterwards."""
    return [str(YOU if seat == puzzle.seat else OPPONENT) for seat in range(2)]


def middle(puzzle: Puzzle) -> list[TableLine]:
    """Houses and foundations as they lie when the puzzle begins, for a small picture of it."""
    position = engine.TurnPosition.parse(puzzle.position)
    half = len(position.houses) // 2
    return [
        TableLine(left, [f"{RANKS[height - 1]}{suit}" if height else "" for height in heights], right)
        for suit, heights, left, right in zip(
            SUITS, position.foundations, position.houses[:half], position.houses[half:], strict=True
        )
    ]


def face_down(puzzle: Puzzle) -> list[FaceDown]:
    """The piles that the table does not show card by card."""
    position = engine.TurnPosition.parse(puzzle.position)
    found = []
    for seat in (puzzle.seat, 1 - puzzle.seat):
        hand, discard, reserve = YOUR_PILES if seat == puzzle.seat else OPPONENTS_PILES
        piles = position.seats[seat]
        for name, pile in (
            (hand, piles.hand),
            (discard, piles.discard[:-1]),
            (reserve, piles.reserve[:-1]),
        ):
            if pile:
                found.append(FaceDown(str(name), " ".join(card_text(one) for one in reversed(pile))))
    return found


def card_text(card: str) -> str:
    """A card as people write it: ``10♠``."""
    return f"{'10' if card[0] == 'T' else card[0]}{SUITS[card[1]]}"


def table_of(puzzle: Puzzle, moves: object) -> PersonTable:
    """The puzzle's table after these moves of its seat. Raises NotATurn."""
    if (
        not isinstance(moves, list)
        or len(moves) > MOST_MOVES
        or not all(isinstance(one, str) for one in moves)
    ):
        raise NotATurn(f"Expected a list of at most {MOST_MOVES} moves.")
    game = engine.TurnGame(engine.TurnPosition.parse(puzzle.position))
    events = []
    for move in moves:
        if game.finished or game.turn != puzzle.seat:
            raise NotATurn(gettext("The turn is over."))
        try:
            events.append(dict(game.push(move).as_dict()))
        except engine.IllegalMove as error:
            raise NotATurn(str(error)) from error
    mine = not game.finished and game.turn == puzzle.seat
    return PersonTable(
        puzzle.position, puzzle.seat, cast("list[RecordEvent]", events), Awaits.PERSON if mine else Awaits.BOT
    )


def words(table: PersonTable) -> list[str]:
    """The moves that were made at a table."""
    return [event["move"] for event in table.events if event["type"] == "move"]


def head(puzzle: Puzzle) -> Head:
    """The record that a page begins with."""
    return game_record.head(
        game=str(puzzle.pk),
        variant=puzzle.variant,
        seats=[game_record.seat_head(name) for name in names(puzzle)],
        start=puzzle.position,
        clock=None,
        result=None,
        status="running",
        rules=engine.RULES_VERSION,
    )


def line(puzzle: Puzzle, moves: Sequence[str]) -> list[dict[str, Any]]:
    """The events of moves from the puzzle's position on, as a table shows them."""
    game = engine.TurnGame(engine.TurnPosition.parse(puzzle.position))
    return [dict(game.push(move).as_dict()) for move in moves if not game.finished]


def describe_answer(puzzle: Puzzle, moves: Sequence[str], found: dict[str, Any]) -> dict[str, Any]:
    """What a person is told about an answer: whether it wins, and else what the opponent does."""
    wins, reply = found["wins"], found["reply"]
    after = line(puzzle, [*moves, *reply])[len(moves) :] if reply else []
    if wins is None:
        words = gettext("That turn takes too long to judge. It does not count: try another.")
    elif wins:
        words = gettext("Right! Whatever your opponent does now, you win.")
    elif reply:
        words = gettext("That lets the win slip: your opponent can now win.")
    else:
        words = gettext("That lets the win slip: your opponent can now hold out.")
    return {"wins": wins, "words": words, "reply": after}


def solution(puzzle: Puzzle) -> dict[str, Any]:
    """What a person is told once they have tried: a turn that wins, what was played, and by whom."""
    game = puzzle.game
    seats = {one.seat: one.version for one in game.seats.select_related("version__bot")} if game else {}
    return {
        "solution": line(puzzle, puzzle.solution),
        "themes": themes(puzzle),
        "game": f"{game.get_absolute_url()}#{puzzle.ply}" if game else "",
        "played": line(puzzle, puzzle.played),
        "who": str(seats[puzzle.seat]) if puzzle.seat in seats else "",
    }


def describe_rating(attempt: Attempt, *, first: bool) -> dict[str, Any]:
    """How a first try moved a rating."""
    change = None if attempt.solver.is_provisional else attempt.change
    return {"rating": round(attempt.rating_after), "change": change, "first": first}


def themes(puzzle: Puzzle) -> list[str]:
    """What the turn that wins is made of, for those who have tried it."""
    events = line(puzzle, puzzle.solution)
    position = engine.TurnPosition.parse(puzzle.position)
    empty = {f"t{number}" for number, house in enumerate(position.houses, start=1) if not house}
    opponents = {f"{pile}{1 - puzzle.seat}" for pile in "rd"}
    found = [
        (any(event.get("to") in opponents for event in events), gettext("a load")),
        (any(event.get("to") in empty for event in events), gettext("an empty house")),
        (any(event.get("from") == f"r{puzzle.seat}" for event in events), gettext("the reserve")),
        (any(event.get("flip") is not None for event in events), gettext("the discard turned over")),
        (len(events) >= LONG, gettext("a long turn")),
    ]
    return [words for holds, words in found if holds]


LATEST: Final = 10


def _day(request: HttpRequest) -> str:
    """Whose puzzle is the day's: what the first page depends on besides the puzzles."""
    return attempts.day_now().isoformat()


@never_cache
@require_safe
@shared_by_strangers(by=_day)
def overview(request: HttpRequest) -> HttpResponse:
    """Today's puzzle, and how one has done so far."""
    attempts.adopt(request.user, request.session)
    today = attempts.today()
    solver = attempts.solver_of(request.user)
    context = {
        "today": row_of(today) if today else None,
        "table": middle(today) if today else [],
        "today_solved": _solved(request, today) if today else None,
        "solver": solver,
        "latest": attempts.latest(solver, LATEST) if solver else [],
        "count": Puzzle.objects.count(),
    }
    return render(request, "puzzles/overview.html", context)


@never_cache
@require_safe
def next_puzzle(request: HttpRequest) -> HttpResponse:
    """Go to a puzzle for this person; after the one of ``?after=`` for whoever is not signed in."""
    said = request.GET.get("after", "")
    known = said.isascii() and said.isdigit() and len(said) < 10
    after = Puzzle.objects.filter(pk=int(said)).first() if known else None
    found = attempts.next_for(request.user, after)
    return redirect(found) if found else redirect("puzzles:overview")


@never_cache
@require_safe
def puzzle(request: HttpRequest, number: int) -> HttpResponse:
    """A puzzle at the table."""
    attempts.adopt(request.user, request.session)
    row = get_object_or_404(Puzzle, pk=number)
    context = {
        "row": row_of(row),
        "puzzle": row,
        "seats": [{"bot": name} for name in names(row)],
        "face_down": face_down(row),
        "solved": _solved(request, row),
        "solver": attempts.solver_of(request.user),
    }
    return render(request, "puzzles/puzzle.html", context)


@never_cache
@require_safe
def state(request: HttpRequest, number: int) -> JsonResponse:
    """What the page of a puzzle begins with."""
    row = get_object_or_404(Puzzle, pk=number)
    return JsonResponse({**unstored_state(table_of(row, [])), "record": head(row)})


@never_cache
@require_POST
def step(request: HttpRequest, number: int) -> HttpResponse:
    """The table after `moves` and one action more (`do`: move or undo), or with a reason why it is refused.

    Nothing is kept: a page says each time what it has done so far.
    """
    row = get_object_or_404(Puzzle, pk=number)
    said = json_object(request)
    moves = said.get("moves")
    undone = said.get("do") == "undo"
    try:
        table = table_of(row, moves[:-1] if undone and isinstance(moves, list) else moves)
    except NotATurn as error:
        return refusal("moves", str(error), 400)
    known, refused = len(table.events), ""
    if said.get("do") == "move":
        refused = carry_out(table, said) if table.awaits is Awaits.PERSON else gettext("The turn is over.")
    return JsonResponse({**unstored_state(table, known, refused), "moves": words(table)})


@require_POST
@thoughtful
def answer(request: HttpRequest, number: int) -> HttpResponse | Thought:
    """Whether a whole turn solves the puzzle, once that is worked out; the first one of a person is rated."""
    row = get_object_or_404(Puzzle.objects.select_related("game"), pk=number)
    try:
        table = table_of(row, json_object(request).get("moves"))
    except NotATurn as error:
        return refusal("moves", str(error), 400)
    if table.awaits is Awaits.PERSON:
        return refusal("turn", gettext("Finish your turn first."), 409)
    return _judged(request, row, table)


def _solved(request: HttpRequest, row: Puzzle) -> bool | None:
    """Whether the first try of who asks solved a puzzle; None if there was none."""
    attempt = attempts.attempt_of(row, request.user)
    return attempt.solved if attempt is not None else attempts.solved_as_guest(request.session, row.pk)


def _judged(request: HttpRequest, row: Puzzle, table: PersonTable) -> Thought:
    moves = words(table)

    def tell(said: bytes) -> HttpResponse:
        found: dict[str, Any] = json.loads(said)
        told = describe_answer(row, moves, found)
        if found["wins"] is not None:
            told.update(solution(row))
            if request.user.is_authenticated:
                attempt, first = attempts.first_try(row.pk, request.user, moves, solved=found["wins"])
                told["rated"] = describe_rating(attempt, first=first)
            else:
                attempts.keep_try(request.session, row.pk, moves, solved=found["wins"])
        return JsonResponse(told)

    return Thought(puzzle_searches.answer(row, moves), tell)
