"""Tournaments, their standings, matches and pairs."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from pydantic import AwareDatetime, Field

from analysis.formats.groups import MOST_GROUPS
from analysis.formats.matches import DEALS, POINTS
from arena.api.schemas.common import Schema, Slug, Url, Variant
from tournaments.events.brackets import DecidedBy
from tournaments.events.creation import (
    BANK_MS,
    FORMATS,
    INCREMENT_MS,
    MOST_CYCLES,
    MOST_ENTRANTS,
    MOST_PAIRS,
    NAME_LENGTH,
    REGISTRATION,
)
from tournaments.events.standings import bye_worth, round_results, tournament_standings
from tournaments.models import Tournament
from tournaments.models.embargo import EVERY_ROUND
from tournaments.pairing.groups import group_stage

if TYPE_CHECKING:
    from tournaments.events.brackets import Bracket
    from tournaments.events.standings import ProgressShown, RoundResult, Standing
    from tournaments.models import Entry, Pair, Pairing
    from tournaments.pairing.groups import GroupStage

if TYPE_CHECKING:
    # As many words as there are: mypy reads no tuples of them.
    Format = str
    PlayedFormat = str
    StatusName = str
    MatchKind = str
    Minutes = int
else:
    Format = Literal[tuple(Tournament.Format.values)]
    PlayedFormat = Literal[tuple(one.value for one in FORMATS)]
    StatusName = Literal[tuple(Tournament.Status.values)]
    MatchKind = Literal[(POINTS, DEALS)]
    Minutes = Literal[tuple(REGISTRATION)]
Action = Literal["start", "pause", "resume", "cancel"]


class ClockOut(Schema):
    """CPU time for each bot in each game."""

    bank_ms: int
    increment_ms: int = Field(description="Added after each turn of a bot.")


class ProgressOut(Schema):
    """How many pairs are played."""

    done: int
    total: int = Field(description="So far as is known.")
    running: int = Field(description="Games being played now.")
    stuck: int = Field(description="Pairs that wait for the operator.")


class GroupsOut(Schema):
    """The groups before a knock-out."""

    number: int = Field(description="0 before the start: groups of about four.")
    advance: int = Field(description="How many of each play in the knock-out.")
    knockout_pairs: int = Field(description="That two play who meet in the knock-out.")


class TournamentOut(Schema):
    """A tournament. Its seed appears once it is over; until then only the commitment to it."""

    tournament: Slug = Field(examples=["house-round-robin"])
    name: str
    description: str
    owner: str | None = Field(description="Null for the house and departed owners.")
    format: Format
    variant: str
    players: int
    cycles: int
    rounds: int
    pairs_per_pairing: int
    groups: GroupsOut | None = Field(description="Null in all formats but `groups`.")
    clock: ClockOut
    rated: bool
    unrated_because: str
    status: StatusName
    note: str
    entrants: int
    registration_until: datetime | None
    starts_at: datetime | None
    invited: bool = Field(description="Whether entering requires the join key.")
    admits_remote: bool = Field(description="Whether remote bots may enter.")
    seed_commitment: str
    seed: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    progress: ProgressOut
    url: Url


class TournamentPage(Schema):
    """Tournaments, newest first."""

    items: list[TournamentOut]
    next: str | None


class Ladders(Schema):
    """Every ladder, in the order of the boards."""

    items: list[TournamentOut]


class EntryOut(Schema):
    """One version in a tournament."""

    number: int = Field(description="Its place in the draw, from 1.")
    bot: Slug
    name: str
    version: int
    withdrawn: bool


class Entries(Schema):
    """Everyone entered."""

    items: list[EntryOut]


class RoundOut(Schema):
    """What an entrant made in a round of a Swiss."""

    round: int
    points: float
    opponent: int | None = Field(description="The number of the other entrant; null for a bye.")


class StandingOut(Schema):
    """An entrant's line of the standings."""

    place: int
    entry: EntryOut
    wins: int
    draws: int
    losses: int
    points: float = Field(description="Wins, half of the draws, and the points of byes.")
    bye_points: float
    bye_rounds: list[int] = Field(description="The rounds of a Swiss in which it had a bye.")
    rounds: list[RoundOut] = Field(description="Of a Swiss, one a round so far; they add up to the points.")
    head_to_head: float = Field(description="0 unless all with equal points met each other equally often.")
    sonneborn_berger: float
    buchholz: float
    margin: float
    group: str | None = Field(description="In an event with groups that has started: A, B, …")
    group_place: int | None = Field(description="The place in the group, by its results alone.")
    advanced: bool | None = Field(description="Whether it plays in the knock-out; null while that is open.")


class StandingsOut(Schema):
    """The standings, best first."""

    tournament: Slug
    items: list[StandingOut]


class MatchOut(Schema):
    """Two (or more) entrants who play pairs against each other in one round."""

    round: int
    table: int
    label: str = Field(
        description="Its place in a bracket (`W1.2`) or its group (`A`); of a Swiss's bye `bye`."
    )
    entries: list[int] = Field(description="Numbers of the entrants.")
    pairs_planned: int
    pairs_done: int
    pairs_forfeited: int = Field(description="Pairs that are not played because an entrant left the event.")
    forfeited_by: int | None = Field(description="The number of the entrant that left and so loses these.")
    wins: int = Field(description="Single games, as the first entrant sees them.")
    draws: int
    losses: int
    penta: list[int] = Field(description="Pairs by the first's half points, 0 to 4.")
    points: list[int] | None = Field(description="Of a match to points: both totals.")
    bye_points: float | None = Field(
        description="The points a bye in a Swiss is worth; null for any other pairing."
    )
    winner: Literal["", "first", "second", "drawn"]
    advanced: int | None = Field(
        description="In a bracket, the number of the entrant that won; null while that is open."
    )
    decided_by: DecidedBy | None = Field(
        description="In a bracket, what decided it. A level match goes on for some extra pairs, then the "
        "larger margin advances, and after that the better place in the group or the better seed. `earlier`: "
        "the next match was made before a pair of this one was voided, which then ended otherwise."
    )


class MatchPage(Schema):
    """Matches, by round and table."""

    items: list[MatchOut]
    next: str | None


class PairOut(Schema):
    """One deal, played once from every seat. Its seed appears only when it was played."""

    id: int
    round: int
    table: int
    number: int
    run: int = Field(description="Counts the times it was voided and begun again, from 1.")
    status: Literal["queued", "running", "accepted", "void", "stuck"]
    score: int | None = Field(description="The first entrant's half points.")
    margin: float | None
    void_reason: str
    games: list[str]


class PairPage(Schema):
    """Pairs, newest first."""

    items: list[PairOut]
    next: str | None


class Entrant(Schema):
    """A version to enter; without a number the one that plays the game for its bot."""

    bot: Slug = Field(examples=["greedy"])
    version: int | None = Field(None, ge=1, le=2**31 - 1)


class Entering(Entrant):
    """A version of yours to enter."""

    key: str = Field("", max_length=100, description="The join key of an invited event.", examples=[""])


class MatchLength(Schema):
    """Matches instead of a fixed number of pairs."""

    kind: MatchKind
    target: int = Field(ge=1, le=10_000)


class HidingWish(Schema):
    """Which results stay hidden, and until when. Give `last_rounds` or `since`."""

    last_rounds: int = Field(0, ge=0, le=EVERY_ROUND, description="That many of the last rounds.")
    since: AwareDatetime | None = Field(None, description="What first meets after that time.")
    reveal: Literal["hand", "end", "time"] = "hand"
    reveal_at: AwareDatetime | None = Field(None, description="For `time`.")
    organiser_sees: bool = Field(False, description="Whether organisers see the hidden table.")


class TournamentWish(Schema):
    """A tournament to hold. It starts at once unless others may enter first."""

    name: str = Field(min_length=3, max_length=NAME_LENGTH, examples=["Friday cup"])
    description: str = Field("", max_length=2000)
    variant: Variant = "crapaud"
    players: int = Field(2, ge=2, le=4)
    format: PlayedFormat = "round-robin"
    entrants: list[Entrant] = Field(
        [], max_length=MOST_ENTRANTS, description="In a gauntlet the first plays all the others."
    )
    cycles: int = Field(1, ge=1, le=MOST_CYCLES)
    rounds: int = Field(0, ge=0, le=64, description="Of a Swiss; 0: as many as find one winner.")
    groups: int = Field(0, ge=0, le=MOST_GROUPS, description="Of `groups`; 0: groups of about four.")
    advance: Literal[1, 2, 4] = Field(2, description="Of `groups`: how many of each play in the knock-out.")
    knockout_pairs: int = Field(
        0, ge=0, le=MOST_PAIRS, description="Of `groups`, in the knock-out; 0: as many as in the groups."
    )
    pairs: int = Field(10, ge=1, le=MOST_PAIRS, description="That two play who meet.")
    match: MatchLength | None = None
    bank_ms: int = Field(60_000, ge=BANK_MS[0], le=BANK_MS[1])
    increment_ms: int = Field(500, ge=INCREMENT_MS[0], le=INCREMENT_MS[1])
    series: str = Field("", max_length=80, description="The slug of your series to add it to.")
    registration: Minutes = Field(0, description="For how many minutes others may enter.")
    closes: AwareDatetime | None = Field(None, description="When it closes; replaces `registration`.")
    starts: AwareDatetime | None = Field(None, description="When it starts; null: as soon as it can.")
    invited: bool = Field(False, description="Only those who have the join key may enter.")
    admits_remote: bool = Field(
        False,
        description="Whether remote bots may enter; then each game has its own deal and nothing is rated.",
    )
    hide: HidingWish | None = Field(None, description="Results that stay hidden; null: none.")
    rated: bool = Field(True, description="False keeps an event of the house out of the ratings.")


class TournamentChanges(Schema):
    """What to change of a tournament that has not started; what you leave out stays."""

    name: str | None = Field(None, min_length=3, max_length=NAME_LENGTH, examples=["Friday cup"])
    description: str | None = Field(None, max_length=2000)
    closes: AwareDatetime | None = Field(None, description="When registration closes; null: it has none.")
    starts: AwareDatetime | None = Field(None, description="When it starts; null: as soon as it can.")
    rounds: int | None = Field(None, ge=0, le=64, description="Of a Swiss; 0: as many as find one winner.")
    pairs: int | None = Field(None, ge=1, le=MOST_PAIRS, description="That two play who meet.")
    bank_ms: int | None = Field(None, ge=BANK_MS[0], le=BANK_MS[1], examples=[60_000])
    increment_ms: int | None = Field(None, ge=INCREMENT_MS[0], le=INCREMENT_MS[1], examples=[500])


class VoidWish(Schema):
    """Why a pair should be void."""

    reason: str = Field(
        min_length=3, max_length=200, description="Everyone can read it.", examples=["The host stopped."]
    )


class Done(Schema):
    """What was done, in a sentence."""

    message: str


def tournament_out(one: Tournament, entrants: int, progress: ProgressShown) -> dict[str, Any]:
    """A tournament as everyone sees it."""
    return {
        "tournament": one.slug,
        "name": one.name,
        "description": one.description,
        "owner": one.owner.get_username() if one.owner else None,
        "format": one.format,
        "variant": one.variant,
        "players": one.players,
        "cycles": one.cycles,
        "rounds": one.rounds,
        "pairs_per_pairing": one.pairs_per_pairing,
        "groups": groups_out(one),
        "clock": {"bank_ms": one.bank_ms, "increment_ms": one.increment_ms},
        "rated": one.rated,
        "unrated_because": one.unrated_because,
        "status": one.status,
        "note": one.note,
        "entrants": entrants,
        "registration_until": one.registration_until,
        "starts_at": one.starts_at,
        "invited": bool(one.join_key),
        "admits_remote": one.admits_remote,
        "seed_commitment": one.seed_commitment,
        "seed": one.seed if one.is_over else None,
        "created_at": one.created_at,
        "started_at": one.started_at,
        "finished_at": one.finished_at,
        "progress": {
            "done": progress.done,
            "total": progress.total,
            "running": progress.running,
            "stuck": progress.stuck,
        },
        "url": one.get_absolute_url(),
    }


def groups_out(one: Tournament) -> dict[str, Any] | None:
    """The groups of a tournament, None if it has none."""
    rule = one.group_rule
    if rule is None:
        return None
    return {"number": rule.groups, "advance": rule.advance, "knockout_pairs": one.knockout_pairs}


def entry_out(entry: Entry) -> dict[str, Any]:
    """An entrant."""
    return {
        "number": entry.number,
        "bot": entry.version.bot.slug,
        "name": entry.version.bot.name,
        "version": entry.version.number,
        "withdrawn": entry.withdrawn,
    }


def standings_out(tournament: Tournament) -> list[dict[str, Any]]:
    """The standings of an event, best first."""
    entries = list(tournament.entries.order_by("number"))
    stage = group_stage(tournament, entries) if tournament.group_rule else None
    rounds = round_results(tournament) if tournament.format == Tournament.Format.SWISS else []
    numbers = {entry.pk: entry.number for entry in entries}
    return [
        {**_standing_out(one, stage), "rounds": _rounds_out(one.entry.pk, rounds, numbers)}
        for one in tournament_standings(tournament)
    ]


def _rounds_out(
    entrant: int, rounds: list[dict[int, RoundResult]], numbers: dict[int, int]
) -> list[dict[str, Any]]:
    return [
        {
            "round": number,
            "points": made[entrant].points,
            "opponent": None if (other := made[entrant].opponent) is None else numbers[other],
        }
        for number, made in enumerate(rounds, start=1)
        if entrant in made
    ]


def _standing_out(one: Standing, stage: GroupStage | None) -> dict[str, Any]:
    """A line of the standings; `stage` are the groups of an event that has some."""
    row = one.row
    group = stage.group_of(row.entrant) if stage else None
    names = ("points", "head_to_head", "sonneborn_berger", "buchholz", "margin")
    return {
        "place": row.place,
        "entry": entry_out(one.entry),
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "bye_points": row.bonus,
        "bye_rounds": list(one.byes),
        **{name: float(getattr(row, name)) for name in names},
        "group": group.name if group else None,
        "group_place": group.place_of(row.entrant) if group else None,
        "advanced": stage.has_advanced(row.entrant) if stage else None,
    }


def match_out(
    tournament: Tournament, pairing: Pairing, numbers: dict[int, int], bracket: Bracket | None = None
) -> dict[str, Any]:
    """Two who meet; `numbers` are those of the entrants, by key, and `bracket` is the event's, if any."""
    winner = bracket.winners.get(pairing.label) if bracket else None
    to_points = tournament.match_rule is not None
    bye = bye_worth(tournament) if pairing.second_id is None else 0.0
    return {
        "round": pairing.round,
        "table": pairing.table,
        "label": pairing.label,
        "entries": [numbers[key] for key in pairing.entry_ids],
        "pairs_planned": pairing.pairs_planned,
        "pairs_done": pairing.pairs_done,
        "pairs_forfeited": pairing.pairs_forfeited,
        "forfeited_by": None if pairing.forfeited_by_id is None else numbers[pairing.forfeited_by_id],
        "wins": pairing.wins,
        "draws": pairing.draws,
        "losses": pairing.losses,
        "penta": list(pairing.penta),
        "points": [pairing.points_first, pairing.points_second] if to_points else None,
        "bye_points": bye or None,
        "winner": pairing.match,
        "advanced": None if winner is None else numbers[winner],
        "decided_by": bracket.decided_by(tournament, pairing) if bracket else None,
    }


def pair_out(pair: Pair) -> dict[str, Any]:
    """A pair with its games, which are read already."""
    return {
        "id": pair.pk,
        "round": pair.pairing.round,
        "table": pair.pairing.table,
        "number": pair.number,
        "run": pair.run,
        "status": pair.status,
        "score": pair.score,
        "margin": pair.margin,
        "void_reason": pair.void_reason,
        "games": [str(game.pk) for game in pair.games.all()],
    }
