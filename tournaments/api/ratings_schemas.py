"""Ratings, the queue and the audit."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from arena.api.schemas.common import Board, Schema, Slug

if TYPE_CHECKING:
    from tournaments.models import Rating
    from tournaments.ratings.held_endings import HeldEndings


class BoardOut(Schema):
    """A leaderboard: a variant with its number of seats."""

    board: str = Field(examples=["crapette/3"])
    title: str
    variant: str
    players: int
    rated: bool = Field(description="Whether anything is rated on it yet.")


class Boards(Schema):
    """Every board, in the engine's order."""

    items: list[BoardOut]


class RatingOut(Schema):
    """A version's rating on a board, in Elo. A house bot stands at 1500."""

    board: Board
    bot: Slug
    name: str
    version: int
    place: int | None = Field(description="On the leaderboard; null elsewhere.")
    elo: float
    error: float = Field(description="One standard error.")
    low: float | None = Field(description="The lower end of the 95 % interval; null if it has none.")
    high: float | None
    provisional: bool = Field(
        description="Whether it is still being measured: it then stands below the others."
    )
    anchored: bool = Field(description="Whether a chain of games leads to the anchor.")
    pairs: int
    games: int
    wins: int
    draws: int
    losses: int
    margin: float = Field(description="The mean margin of a pair.")
    superiority: float | None = Field(description="The likelihood of being stronger than the next.")
    solved_endings: int | None = Field(
        None, description="Endings of its games that the solver saw it win; null on leaderboards."
    )
    held_endings: int | None = Field(None, description="How many of these it won; null on leaderboards.")
    computed_at: datetime


class RatingPage(Schema):
    """A leaderboard, best first."""

    items: list[RatingOut]
    next: str | None


class RatingsOfBot(Schema):
    """The ratings of a bot's versions."""

    bot: Slug
    items: list[RatingOut]


class PointOut(Schema):
    """A rating at one moment."""

    board: str
    version: int
    at: datetime
    elo: float
    error: float
    games: int


class History(Schema):
    """How a bot's ratings went, newest first."""

    items: list[PointOut]
    next: str | None


class OpponentOut(Schema):
    """Single games against another bot in a variant, between two."""

    bot: Slug
    name: str
    variant: str
    wins: int
    draws: int
    losses: int


class Opponents(Schema):
    """A bot's results by opponent."""

    bot: Slug
    items: list[OpponentOut]


class WaitingOut(Schema):
    """A running tournament with games that wait."""

    tournament: Slug
    name: str
    planned: int = Field(description="Games planned, as far as is known.")
    finished: int
    running: int
    waiting: int
    hidden: bool = Field(description="Whether it plays hidden games, which are not counted here.")
    why: str = Field(description="Why it waits, in a sentence.")
    seconds: float = Field(description="To its last game, about.")


class WaitingCheck(Schema):
    """An upload that waits for its check."""

    bot: Slug
    version: int
    status: Literal["uploaded", "checking"]
    created_at: datetime


class LeadOut(Schema):
    """A version that took first place, and when."""

    bot: Slug
    name: str
    version: int
    elo: float
    at: datetime


class Leads(Schema):
    """Who took first place on a board, newest first."""

    items: list[LeadOut]
    next: str | None


class QueueOut(Schema):
    """What waits, in the order it will be done."""

    games_at_once: int
    checks: list[WaitingCheck]
    tournaments: list[WaitingOut]


class VariantAudit(Schema):
    """The last recomputation of a variant's ratings."""

    board: str
    pairs_counted: int
    behind: int = Field(description="Changes that are not in the ratings yet.")
    computed_at: datetime | None
    audited_at: datetime | None
    differences: list[str]


class VoidedPair(Schema):
    """A pair that was voided, and why."""

    pair: int
    tournament: Slug
    round: int
    table: int
    reason: str
    score_when_replayed: int | None


class AuditOut(Schema):
    """The public ledger: nothing lost, nothing counted twice."""

    clean: bool
    counted_at: datetime
    games: int
    results: int
    lost: int
    counted_twice: int
    accepted_pairs: int
    voided_pairs: int
    attempts: dict[str, int] = Field(description="How attempts to play ended.")
    alarms: list[str] = Field(description="What is wrong at present.")
    variants: list[VariantAudit]
    voided: list[VoidedPair] = Field(description="The last ones.")


def rating_out(
    rating: Rating, place: int | None = None, endings: HeldEndings | None = None
) -> dict[str, Any]:
    """A rating; its version and bot are read already."""
    bot = rating.version.bot
    names = (
        "elo", "error", "low", "high", "provisional", "anchored", "pairs", "games", "wins", "draws", "losses",
        "margin", "superiority", "computed_at",
    )  # fmt: skip
    return {
        "board": rating.variant,
        "bot": bot.slug,
        "name": bot.name,
        "version": rating.version.number,
        "place": place,
        "solved_endings": endings.solved if endings else None,
        "held_endings": endings.held if endings else None,
        **{name: getattr(rating, name) for name in names},
    }
