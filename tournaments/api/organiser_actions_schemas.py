"""What organisers do besides, and what everyone takes home: announcements, keys, estimates, score sheets."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from pydantic import Field

from arena.api.schemas.common import Key, Schema, Url
from tournaments.api.tournaments_schemas import Entrant
from tournaments.events.announcements import LONGEST

if TYPE_CHECKING:
    from tournaments.games.score_sheets import Sheet, SheetDeal, SheetEntry
    from tournaments.models import Announcement
    from tournaments.pairing.hidden_results_reveal import Reveal


class Entering(Entrant):
    """A version of yours to enter."""

    key: str = Field("", max_length=100, description="The join key of an invited event.", examples=[""])


class EstimateOut(Schema):
    """How large a tournament would be, and how long it would take if nothing else were played."""

    rounds: int
    pairings: int
    pairs: int
    games: int
    seconds: float = Field(examples=[540.0])
    games_before: int = Field(
        description="About how many games from the queue are played before its last one; `text` counts them.",
        examples=[0],
    )
    text: str = Field(examples=["This is 60 games in 3 rounds. It takes about 9 minutes, 2 games at a time."])


class PlaceOut(Schema):
    """One place of the final table that is revealed."""

    place: int
    name: str
    points: str = Field(examples=["3.5"])
    url: Url


class RevealOut(Schema):
    """What an event hides, and the places revealed so far, best first."""

    text: str
    played: bool = Field(description="Whether all games are played, so that places can be revealed.")
    over: bool = Field(description="Whether everything is revealed.")
    revealed: int = Field(description="How many places are revealed, from the bottom.")
    items: list[PlaceOut]


class RevealWish(Schema):
    """What to reveal."""

    after: int | None = Field(
        None, ge=0, description="Reveal one more place if so many are revealed; null: reveal everything."
    )


class JoinKey(Schema):
    """What somebody needs to enter an invited event; empty if everyone may enter."""

    key: str = Field(examples=["Zr9yJb3u1xkq"])


class AnnouncementIn(Schema):
    """Something to tell everyone who looks at an event."""

    text: str = Field(min_length=3, max_length=LONGEST, examples=["Round 3 begins at noon."])


class AnnouncementOut(Schema):
    """What an organiser tells everyone."""

    id: Key
    text: str = Field(examples=["Round 3 begins at noon."])
    at: datetime


class Announcements(Schema):
    """The announcements of an event, newest first."""

    items: list[AnnouncementOut]


class PartOut(Schema):
    """What points were written down for."""

    words: str = Field(examples=["12 cards left"])
    points: int


class SheetEntryOut(Schema):
    """What one side wrote down for a game; `total` is null if the deal does not count."""

    parts: list[PartOut]
    made: int
    total: int | None


class SheetLineOut(Schema):
    """A game: the first entrant's seat, from 1, and both sides' entries once it is over."""

    url: str = Field(examples=["/games/6f9b0c52-3c1f-4c3a-9d8e-0d5a4f1b2c3d/"])
    seat: int
    reason: str
    entries: list[SheetEntryOut]


class SheetDealOut(Schema):
    """A deal of the match. One that does not count was over after the match was decided."""

    number: int
    run: int
    status: str = Field(examples=["accepted"])
    counts: bool
    lines: list[SheetLineOut]


class SheetOut(Schema):
    """The score sheet of a match."""

    state: str = Field(examples=["Planner v3 won by 42 points after 6 deals."])
    rule: str = Field(examples=["The match ends after 6 deals if a side is ahead."])
    points: list[int] = Field(description="Of the first and the second entrant.")
    over: bool
    fair_margin: float | None = Field(description="The margin without luck; null while it is not measured.")
    deals: list[SheetDealOut]


def announcement_out(one: Announcement) -> dict[str, Any]:
    """An announcement."""
    return {"id": one.pk, "text": one.text, "at": one.at}


def sheet_out(sheet: Sheet, *, cancelled: bool) -> dict[str, Any]:
    """A score sheet."""
    return {
        "state": sheet.state_words(cancelled=cancelled),
        "rule": sheet.rule_words,
        "points": [side.points for side in sheet.sides],
        "over": sheet.stands.over,
        "fair_margin": sheet.fair_margin,
        "deals": [_deal(one) for one in sheet.deals],
    }


def _deal(one: SheetDeal) -> dict[str, Any]:
    return {
        "number": one.number,
        "run": one.run,
        "status": one.status,
        "counts": one.counts,
        "lines": [
            {
                "url": line.url,
                "seat": line.seat,
                "reason": line.reason,
                "entries": [_entry(each) for each in line.entries],
            }
            for line in one.lines
        ],
    }


def _entry(one: SheetEntry) -> dict[str, Any]:
    parts = [{"words": words, "points": points} for words, points in one.parts]
    return {"parts": parts, "made": one.made, "total": one.total}


def reveal_out(found: Reveal) -> dict[str, Any]:
    """A reveal as everyone sees it."""
    return {
        "text": found.note.words,
        "played": found.played,
        "over": found.over,
        "revealed": found.revealed,
        "items": [
            {"place": one.shown_number, "name": one.name, "points": one.points, "url": one.url}
            for one in found.places
            if one.name
        ],
    }
