"""A puzzle as its page shows it: the table move by move, the cards face down, and what an answer is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from django.utils.translation import gettext, gettext_lazy

import engine
from analysis import game_record
from arena.web.variants import variant_title
from friendlies.games.turns import Awaits, PersonTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.game_record import Head
    from friendlies.puzzles.models import Attempt, Puzzle
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


def row(puzzle: Puzzle) -> PuzzleRow:
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
