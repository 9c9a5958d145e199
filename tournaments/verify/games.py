"""One game: its deal, its chain, every move by the engine, its result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import engine
from tournaments.domain import bundle, seeds
from tournaments.domain.records import Chain, body_hash
from tournaments.domain.scores import FORFEITS
from tournaments.referee.result import draw_ranking, forfeit_ranking
from tournaments.referee.scores import draw_points, forfeit_points, standing

if TYPE_CHECKING:
    from tournaments.verify.findings import Findings

REFEREES: Final = frozenset({"n", "ply", "ms", "clocks", "comment", "eval"})
"""Fields of an event that the referee adds to the engine's."""

NOTES: Final = {
    "offer": {"n", "type", "ply", "seat", "clocks"},
    "decline": {"n", "type", "ply", "seat", "clocks"},
    "end": {"n", "type", "ply", "result", "clocks"},
}
KEYS: Final = {
    "format", "rules", "game", "variant", "players", "seats", "start", "events", "result", "clock", "status",
    "proof", "links", "digests",
}  # fmt: skip


@dataclass(slots=True)
class Counts:
    """How much was checked."""

    games: int = 0
    plies: int = 0


def check_game(record: dict[str, Any], found: Findings, counts: Counts, line: int = 0) -> None:
    """Check one record with its proof; what differs goes to `found`.

    `line` is where it stands in a bundle.
    """
    where = f"game {record.get('game')}"
    damaged = list(bundle.damaged(record))
    if line and any(path == "game" for path, _ in damaged):
        where = f"line {line} ({where})"  # the name itself is what changed, so it leads nowhere
    for path, value in damaged:
        found.add(where, path, f"is not what was published, got {value!r:.80}")
    for name in sorted(record.keys() ^ (KEYS | {"kind"})):
        if name in record or name != "kind":
            found.add(where, name, "is no field of a record" if name in record else "is missing")
    with found.reading(where):
        _deal(record, where, found)
    with found.reading(where):
        _chain(record, where, found)
    with found.reading(where):
        _moves(record, where, found)
    counts.games += 1
    counts.plies += (record.get("result") or {}).get("plies") or 0


def _deal(record: dict[str, Any], where: str, found: Findings) -> None:
    """The start follows from the deal's seed, that from the batch's, and that was committed to."""
    proof = record["proof"]
    seed, batch_seed = proof["deal_seed"], proof["batch_seed"]
    if proof["seed"] is not None:
        found.same(where, "proof.seed_commitment", seeds.commitment(proof["seed"]), proof["seed_commitment"])
        found.same(where, "proof.batch_seed", seeds.round_seed(proof["seed"], proof["batch"]), batch_seed)
    if batch_seed is not None:
        found.same(where, "proof.batch_commitment", seeds.commitment(batch_seed), proof["batch_commitment"])
        found.same(where, "proof.deal_seed", seeds.deal_of(batch_seed, proof["deal"]), seed)
    found.same(where, "rules", engine.RULES_VERSION, record["rules"])
    suits = seeds.leg_suits(seed, proof["leg"], engine.SUIT_RELABELLINGS)
    found.same(where, "proof.suits", suits, proof["suits"])
    dealt = engine.deal(record["variant"], seed, record["players"]).relabelled(suits)
    found.same(where, "start", str(dealt), record["start"])
    found.same(where, "seats", record["players"], len(record["seats"]))


def _chain(record: dict[str, Any], where: str, found: Findings) -> None:
    """Each event's link; the first that differs names the event, the last is the one published."""
    proof, events = record["proof"], record["events"]
    links = bundle.chunks(record["links"])
    found.same(where, "links", len(events), len(links))
    chain = Chain(record["start"])
    for number, (event, link) in enumerate(zip(events, links, strict=False)):
        chain.add([event])
        if chain.link[: bundle.DIGITS] != link:
            fields = ", ".join(sorted(event.keys() & {"ms", "clocks", "comment", "eval"}))
            found.add(f"{where}, event {number}", "link", f"its chain is broken here ({fields}, if no other)")
            break
    if len(events) != len(links):
        chain = Chain(record["start"])
        chain.add(events)
    if found.same(where, "proof.chain", chain.link, proof["chain"]):
        body = body_hash(record["game"], proof["chain"], record["result"])
        found.same(where, "proof.body", body, proof["body"])


def _moves(record: dict[str, Any], where: str, found: Findings) -> None:
    """Every event as the engine makes it, then the result of where that led."""
    game = engine.Game(engine.Position.parse(record["start"]))
    for number, event in enumerate(record["events"]):
        here = f"{where}, event {number}"
        with found.reading(here):
            found.same(here, "n", number, event["n"])
            if event["type"] in NOTES:
                _note(record, event, game, here, found)
            elif not _push(game, event, here, found):
                return
            found.same(here, "ply", game.ply, event["ply"])
            found.same(here, "clocks", game.players, len(event["clocks"]))
    last = record["events"][-1]
    found.same(f"{where}, event {last.get('n')}", "type", "end", last.get("type"))
    _result(record["result"], game, where, found)


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
    else:
        found.same(here, "seat", game.turn, event["seat"])


def _push(game: engine.Game, event: dict[str, Any], here: str, found: Findings) -> bool:
    """Carry the event out and compare; False if the game cannot go on from here.

    If it differs, what was played is taken to be the legal move whose event differs least: so a changed move
    is told from a changed card.
    """
    said = {name: value for name, value in event.items() if name not in REFEREES}
    best: tuple[int, str, list[tuple[str, object]]] | None = None
    words = (
        [said.get("move"), *game.legal_moves(), "stop"] if "move" in said else [*game.legal_moves(), "stop"]
    )
    for word in words:
        try:
            made = game.stop() if word == "stop" else game.push(str(word))
        except engine.IllegalMove:
            continue
        fields = _differences(made.as_dict(), said)
        if not fields:
            return True
        if best is None or len(fields) < best[0]:
            best = (len(fields), str(word), fields)
        game.pop()
    if best is None:
        found.add(here, "move", f"expected a legal move, got {said.get('move')!r}")
        return False
    for name, expected in best[2]:
        got = f"got {said[name]!r}" if name in said else "it is missing"
        found.add(
            here, name, f"expected {expected!r}, {got}" if expected is not None else f"not expected, {got}"
        )
    if best[0] > 4:
        found.add(here, "move", f"expected a legal move, got {said.get('move')!r}")
        return False
    _ = game.stop() if best[1] == "stop" else game.push(best[1])
    return True


def _differences(made: dict[str, object], said: dict[str, Any]) -> list[tuple[str, object]]:
    """Fields that differ, with what the engine says."""
    names = sorted(made.keys() | said.keys())
    return [
        (name, made.get(name))
        for name in names
        if (name in made) != (name in said) or _plain(made.get(name)) != said.get(name)
    ]


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _result(result: dict[str, Any], game: engine.Game, where: str, found: Findings) -> None:
    """The result of the final position; a forfeit is scored as the referee does."""
    at = standing(str(game.position.public()))
    termination, seat = result["termination"], result["seat"]
    if termination in FORFEITS:
        ranking = forfeit_ranking(game.players, at.out, seat)
        points = forfeit_points(at, seat)
    elif termination == "draw-agreed":
        ranking, points = draw_ranking(game.players, at.out), draw_points(at)
    else:
        outcome = game.outcome()
        if outcome is None:
            found.add(
                where, "result.termination", f"expected a forfeit or a game that is over, got {termination!r}"
            )
            return
        found.same(where, "result.termination", outcome.result, termination)
        ranking, points = outcome.ranking, outcome.points
    if termination not in FORFEITS:
        found.same(where, "result.seat", None, seat)
    for name, value in (
        ("ranking", bundle.groups(ranking)),
        ("points", list(points)),
        ("left", list(at.left)),
        ("plies", game.ply),
        ("turns", game.turn_number),
    ):
        found.same(where, f"result.{name}", value, result[name])
