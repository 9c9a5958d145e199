"""Verifies one game: its deal, its hash chain, every move, and its result.

Compares recorded events with those of the engine, field by field.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

import engine
from analysis import game_record, verifiable_bundle
from analysis.event_log import Chain, body_hash
from analysis.formats import committed_seeds
from analysis.scores import FORFEITS
from kit.local.record import LOCAL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kit.verify.findings import Findings


Choice = TypeVar("Choice")
Said = dict[str, Any]
Fields = list[tuple[str, object]]
"""Fields that differ, each with the engine's value, or None if the field should not be there."""


class Told(Protocol):
    """An event of the engine's."""

    def as_dict(self) -> dict[str, Any]:
        """As JSON."""


def differences(made: dict[str, object], said: dict[str, Any]) -> Fields:
    """Return the fields that differ, with the engine's values."""
    names = sorted(made.keys() | said.keys())
    return [
        (name, made.get(name))
        for name in names
        if (name in made) != (name in said) or _plain(made.get(name)) != said.get(name)
    ]


def nearest(
    choices: Iterable[Choice],
    carry_out: Callable[[Choice], Told],
    take_back: Callable[[], object],
    said: Said,
) -> tuple[Choice, Fields] | None:
    """Return the legal choice whose event differs least from the recorded one, and the differences.

    If nothing differs, the choice has been carried out. None if no choice is legal.
    """
    best: tuple[Choice, Fields] | None = None
    for choice in choices:
        try:
            made = carry_out(choice)
        except (engine.IllegalMove, engine.NotationError):
            continue
        fields = differences(made.as_dict(), said)
        if not fields:
            return choice, fields
        if best is None or len(fields) < len(best[1]):
            best = choice, fields
        take_back()
    return best


def report(fields: Fields, said: dict[str, Any], here: str, found: Findings) -> None:
    """Note every field that differs."""
    for name, expected in fields:
        got = f"got {said[name]!r}" if name in said else "it is missing"
        found.add(
            here, name, f"expected {expected!r}, {got}" if expected is not None else f"not expected, {got}"
        )


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


REFEREES: Final = frozenset({"n", "ply", "ms", "clocks", "comment", "eval"})
"""Fields of a move that the referee adds to the engine's."""

OF_TICKS: Final = frozenset({"n", "ply", "ms", "clocks", "comments", "evals", "late"})
"""Fields of a tick that the referee adds to the engine's."""

NOTES: Final = {
    "offer": {"n", "type", "ply", "seat", "clocks"},
    "decline": {"n", "type", "ply", "seat", "clocks"},
    "end": {"n", "type", "ply", "result", "clocks"},
}
OPTIONAL: Final = game_record.Head.__optional_keys__ | {"kind"}


@dataclass(slots=True)
class Counts:
    """How many games and plies have been checked."""

    games: int = 0
    plies: int = 0


def check_game(record: dict[str, Any], found: Findings, counts: Counts, line: int = 0) -> None:
    """Check one record with its proof, and add differences to `found`.

    `line` is its line in a bundle.
    """
    where = f"game {record.get('game')}"
    damaged = list(verifiable_bundle.find_damage(record))
    if line and any(path == "game" for path, _ in damaged):
        where = f"line {line} ({where})"  # the name itself was changed, so it cannot be looked up
    for path, value in damaged:
        found.add(where, path, f"is not what was published, got {value!r:.80}")
    if line and is_local(record):
        found.add(where, "proof.kind", "does not belong in a bundle, because this game was played elsewhere")
    for name in sorted(record.keys() ^ (game_record.FIELDS | OPTIONAL)):
        if name in record or name not in OPTIONAL:
            found.add(where, name, "is not a field of a record" if name in record else "is missing")
    with found.reading(where):
        _deal(record, where, found)
    with found.reading(where):
        _chain(record, where, found)
    with found.reading(where):
        counts.plies += _moves(record, where, found)
    with found.reading(where):
        _remote_seats(record, where, found)
    counts.games += 1


def _deal(record: dict[str, Any], where: str, found: Findings) -> None:
    """Check that the start follows from the deal's seed, and that from the batch's seed, which was committed
    to."""
    proof = record["proof"]
    seed = proof["deal_seed"]
    found.same(where, "rules", engine.RULES_VERSION, record["rules"])
    found.same(where, "seats", record["players"], len(record["seats"]))
    if is_local(record):
        found.same(where, "game", f"{proof['deal']:04}-{proof['leg'] + 1}", record["game"])
        found.same(where, "proof.versions", record["players"], len(proof["versions"]))
        if has_foreign_deal(record):
            found.same(where, "proof.deal_seed", None, seed)
            return
        found.same(where, "proof.deal_seed", committed_seeds.deal_seed(proof["seed"], 1, proof["deal"]), seed)
    else:
        _commitments(proof, where, found)
        if "own_seed" in proof:
            if seed is not None:
                own = committed_seeds.own_seed(seed, proof["table"], proof["run"], proof["leg"])
                found.same(where, "proof.own_seed", own, proof["own_seed"])
            seed = proof["own_seed"]
    suits = committed_seeds.leg_suits(seed, proof["leg"], engine.SUIT_RELABELLINGS)
    found.same(where, "proof.suits", suits, proof["suits"])
    dealt = engine.deal(record["variant"], seed, record["players"]).relabelled(suits)
    found.same(where, "start", str(dealt), record["start"])


def _commitments(proof: dict[str, Any], where: str, found: Findings) -> None:
    """Check the deal against the batch and the batch against the tournament, as far as seeds are revealed."""
    batch_seed = proof["batch_seed"]
    if proof["seed"] is not None:
        found.same(
            where,
            "proof.seed_commitment",
            committed_seeds.commitment(proof["seed"]),
            proof["seed_commitment"],
        )
        found.same(
            where, "proof.batch_seed", committed_seeds.round_seed(proof["seed"], proof["batch"]), batch_seed
        )
    if batch_seed is not None:
        found.same(
            where, "proof.batch_commitment", committed_seeds.commitment(batch_seed), proof["batch_commitment"]
        )
        if "new_deal" not in proof:
            found.same(
                where,
                "proof.deal_seed",
                committed_seeds.deal_of(batch_seed, proof["deal"]),
                proof["deal_seed"],
            )


def is_local(record: dict[str, Any]) -> bool:
    """Whether `./crapette play` wrote the record, without a witness."""
    proof = record.get("proof")
    return isinstance(proof, dict) and proof.get("kind") == LOCAL


def has_foreign_deal(record: dict[str, Any]) -> bool:
    """Whether `./crapette play --deal` wrote the record, of a deal that follows from no seed in it."""
    return is_local(record) and record["proof"].get("seed") is None


def _chain(record: dict[str, Any], where: str, found: Findings) -> None:
    """Check the link of each event. The first that differs names the event; the last is the published one."""
    proof, events = record["proof"], record["events"]
    links = verifiable_bundle.chunks(record["links"])
    found.same(where, "links", len(events), len(links))
    chain = Chain(record["start"])
    for number, (event, link) in enumerate(zip(events, links, strict=False)):
        chain.add([event])
        if chain.link[: verifiable_bundle.DIGITS] != link:
            fields = ", ".join(sorted(event.keys() & {"ms", "clocks", "comment", "eval"}))
            found.add(
                f"{where}, event {number}", "link", f"the chain breaks here ({fields}, if nothing else)"
            )
            break
    if len(events) != len(links):
        chain = Chain(record["start"])
        chain.add(events)
    if found.same(where, "proof.chain", chain.link, proof["chain"]):
        body = body_hash(record["game"], proof["chain"], record["result"])
        found.same(where, "proof.body", body, proof["body"])


def _moves(record: dict[str, Any], where: str, found: Findings) -> int:
    """Every event as the engine makes it, then the result of where that led; how many plies that was."""
    game = engine.Game.of(engine.Position.parse(record["start"]))
    for number, event in enumerate(record["events"]):
        here = f"{where}, event {number}"
        with found.reading(here):
            found.same(here, "n", number, event["n"])
            if event["type"] in NOTES:
                _note(record, event, game, here, found)
            elif not _push(game, event, here, found):
                return game.ply
            found.same(here, "ply", game.ply, event["ply"])
            found.same(here, "clocks", game.players, len(event["clocks"]))
    last = record["events"][-1]
    found.same(f"{where}, event {last.get('n')}", "type", "end", last.get("type"))
    _result(record["result"], game, where, found)
    return game.ply


def _remote_seats(record: dict[str, Any], where: str, found: Findings) -> None:
    """A remote seat says its clock, which never shows more than it was given by then; and nobody else can
    have lost a connection."""
    result, seats = record["result"], record["seats"]
    if result["termination"] == "disconnected":
        found.same(where, f"seats[{result['seat']}].remote", True, seats[result["seat"]].get("remote", False))
    for seat, head in enumerate(seats):
        if not head.get("remote", False):
            continue
        clock = head["clock"]
        found.same(where, f"seats[{seat}].clock.wall", True, clock.get("wall"))
        for event in record["events"]:
            most = clock["bank_ms"] + event["ply"] * clock["increment_ms"]
            if not 0 <= event["clocks"][seat] <= most:
                here = f"{where}, event {event['n']}"
                found.add(here, f"clocks[{seat}]", f"expected 0 to {most}, got {event['clocks'][seat]!r}")
                break


def _note(
    record: dict[str, Any], event: dict[str, Any], game: engine.Game, here: str, found: Findings
) -> None:
    """An event of the referee's own: an offer, a refusal, the end."""
    for name in sorted(event.keys() ^ NOTES[event["type"]]):
        found.add(here, name, "does not belong here" if name in event else "is missing")
    if event["type"] == "end":
        for name, value in record["result"].items():
            found.same(here, f"result.{name}", value, event["result"][name])
        found.same(here, "n", len(record["events"]) - 1, event["n"])
    elif len(game.acting) == 1:
        found.same(here, "seat", game.acting[0], event["seat"])
    else:
        found.add(here, "type", f"expected a tick or the end, got {event['type']!r}")


def _push(game: engine.Game, event: dict[str, Any], here: str, found: Findings) -> bool:
    """Carry out the event and compare; return False if the game cannot continue from here.

    If it differs, what was played is taken to be the legal word whose event differs least: so a changed move
    is told from a changed card.
    """
    is_tick = len(game.acting) > 1
    added = OF_TICKS if is_tick else REFEREES
    said = {name: value for name, value in event.items() if name not in added}
    for seat in event.get("late", ()) if is_tick else ():
        found.same(here, f"actions[{seat}] of a seat that was late", "wait", event["actions"][seat])
    field, wanted = ("actions", "two legal actions") if is_tick else ("move", "a legal move")
    best = nearest([*_said(said), *game.words()], game.apply, game.pop, said)
    if best is None:
        found.add(here, field, f"expected {wanted}, got {said.get(field)!r}")
        return False
    word, fields = best
    report(fields, said, here, found)
    if len(fields) > 4 and not is_tick:
        found.add(here, field, f"expected {wanted}, got {said.get(field)!r}")
        return False
    if fields:
        game.apply(word)
    return True


def _said(said: dict[str, Any]) -> list[str]:
    """The word that an event says was played, if it says one."""
    if "move" in said:
        return [str(said["move"])]
    actions = said.get("actions")
    return [",".join(map(str, actions))] if isinstance(actions, list) and len(actions) == 2 else []


def _result(result: dict[str, Any], game: engine.Game, where: str, found: Findings) -> None:
    """The result of the final position; a forfeit is scored as the referee does."""
    termination, seat = result["termination"], result["seat"]
    outcome = game.outcome()
    if termination not in FORFEITS:
        found.same(where, "result.seat", None, seat)
    if termination in FORFEITS or (termination == "draw-agreed" and len(game.acting) < 2):
        outcome = game.position.given_up(seat)
    elif outcome is None:
        found.add(where, "result.termination", f"expected a forfeit or a finished game, got {termination!r}")
        return
    else:
        found.same(where, "result.termination", outcome.result, termination)
    for name, value in (
        ("ranking", verifiable_bundle.groups(outcome.ranking)),
        ("points", list(outcome.points)),
        ("left", list(game.position.left)),
        ("plies", game.ply),
        ("turns", game.turns),
    ):
        found.same(where, f"result.{name}", value, result[name])
