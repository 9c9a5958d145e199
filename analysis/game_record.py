"""The record of a game: what a replay is made of, what can be downloaded, and what ``verify`` checks.

Everyone who has played a game writes its record with `head` and `whole`: the site, a person's table, the
check of an upload, `./crapette play` and the examples of the rules. Whoever can prove it adds the proof with
`add_proof`. Readers find the same fields everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NotRequired, TypedDict, cast

from analysis import verifiable_bundle
from engine import RULES_VERSION
from referee import job

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.messages import RecordEvent

REMOTE_CLOCK: Final[GivenClock] = {
    "bank_ms": job.REMOTE_CLOCK.bank_ms,
    "increment_ms": job.REMOTE_CLOCK.increment_ms,
    "wall": True,
}
FORMAT: Final = 1
"""The version of the fields below. It goes up when a field changes its meaning or goes away."""


class GivenClock(TypedDict, total=False):
    """What each seat may think, in milliseconds of CPU time, or of ``wall`` time; without fields, nobody had
    a clock."""

    bank_ms: int
    increment_ms: int
    wall: bool


class SeatMore(TypedDict, total=False):
    """At what level a house bot plays a person, below its full strength; whether the program ran on its
    author's hardware, and the clock it then had in place of the record's."""

    level: int
    remote: bool
    clock: GivenClock


class SeatHead(SeatMore):
    """Who sits on a seat: the bot's name (or the person's), its version, its owner, and its page."""

    bot: str
    version: int | None
    owner: str | None
    house: bool
    url: str | None


class Stretched(TypedDict, total=False):
    """What the host that played multiplied the clock by, unless that is 1."""

    clock_scale: float


class Head(Stretched):
    """A record without its events. ``start`` shows hidden cards only once the game is over."""

    format: int
    rules: int
    game: str
    variant: str
    players: int
    seats: list[SeatHead]
    start: str
    clock: GivenClock
    result: Mapping[str, Any] | None
    status: str


class GameRecord(Head):
    """The record of a game, whole or as far as it was played."""

    events: list[RecordEvent]


class Proof(TypedDict):
    """What every proof has: the deal's seed and the suits it was dealt in, the SHA-256 of what was in the
    seats, the last link of the events' chain, and the hash of what was delivered (`records.body_hash`)."""

    leg: int
    deal: int
    deal_seed: str | None
    suits: str
    versions: list[str]
    chain: str
    body: str


class ArenaProof(Proof):
    """The proof of a tournament's game: its place, and the seeds with what was committed to beforehand. A
    seed is None as long as it is secret. A game with a deal of its own has `own_seed`, too: the pair's
    `deal_seed`, from which other games' deals follow, stays secret until its batch is over. It does not
    follow from the batch's where there is `new_deal`: that one might have been known."""

    tournament: str
    seed_commitment: str
    seed: str | None
    round: int
    table: int
    number: int
    run: int
    batch: int
    batch_commitment: str
    batch_seed: str | None
    own_seed: NotRequired[str]
    new_deal: NotRequired[bool]


class LocalProof(Proof):
    """The proof of a game that one party played alone: the sandbox's level, and the seed of its series. Both
    seeds are None where the deal is that of another game."""

    kind: str
    seed: str | None
    level: str


class Proved(GameRecord):
    """The record of a finished game with its proof, the links of its hash chain and the digests of its
    fields (`analysis.verifiable_bundle`)."""

    links: str
    proof: ArenaProof | LocalProof
    digests: str


class Checked(GameRecord):
    """The record of a trial, with what each seat wrote besides its moves."""

    evidence: list[Mapping[str, Any]]


FIELDS: Final = Proved.__required_keys__
"""The fields of a record that can be verified; ``clock_scale`` may stand there as well."""


def seat_head(
    bot: str,
    version: int | None = None,
    *,
    owner: str | None = None,
    house: bool = False,
    url: str | None = None,
    remote: bool = False,
) -> SeatHead:
    """Return who sits on a seat; a person, unless there is more to say than a name."""
    found: SeatHead = {"bot": bot, "version": version, "owner": owner, "house": house, "url": url}
    if remote:
        found["remote"], found["clock"] = True, REMOTE_CLOCK
    return found


def head(
    *,
    game: str,
    variant: str,
    seats: Sequence[SeatHead],
    start: str,
    status: str,
    clock: GivenClock | None = None,
    result: Mapping[str, Any] | None = None,
    clock_scale: float = 1,
    rules: int = RULES_VERSION,
) -> Head:
    """Return a record without its events."""
    found: Head = {
        "format": FORMAT,
        "rules": rules,
        "game": game,
        "variant": variant,
        "players": len(seats),
        "seats": list(seats),
        "start": start,
        "clock": clock or {},
        "result": result,
        "status": status,
    }
    if clock_scale != 1:
        found["clock_scale"] = clock_scale
    return found


def whole(begun: Head, events: Sequence[RecordEvent]) -> GameRecord:
    """Return the record with its events."""
    return {**begun, "events": list(events)}


def add_proof(record: GameRecord, proof: ArenaProof | LocalProof) -> Proved:
    """Return the record of a finished game in the form that `verify` checks. Its start shows every card."""
    links = verifiable_bundle.links(record["start"], record["events"])
    return cast("Proved", verifiable_bundle.add_digests({**record, "links": links, "proof": proof}))
