"""Verifies one game: its deal, its hash chain, every move, and its result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import engine
from analysis import bundle
from analysis.formats import seeds
from analysis.records import Chain, body_hash
from analysis.scores import FORFEITS
from kit.record import LOCAL
from kit.verify.comparing import nearest, report
from kit.verify.races import push_tick, race_given_away
from referee.result import draw_ranking, forfeit_ranking
from referee.scores import draw_points, forfeit_points, standing

if TYPE_CHECKING:
    from kit.verify.findings import Findings
    from kit.verify.races import Given

    AnyGame = engine.Game | engine.RaceGame

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
    """How many games and plies have been checked."""

    games: int = 0
    plies: int = 0


def check_game(record: dict[str, Any], found: Findings, counts: Counts, line: int = 0) -> None:
    """Check one record with its proof, and add differences to `found`.

    `line` is its line in a bundle.
    """
    where = f"game {record.get('game')}"
    damaged = list(bundle.damaged(record))
    if line and any(path == "game" for path, _ in damaged):
        where = f"line {line} ({where})"  # the name itself was changed, so it cannot be looked up
    for path, value in damaged:
        found.add(where, path, f"is not what was published, got {value!r:.80}")
    if line and is_local(record):
        found.add(where, "proof.kind", "does not belong in a bundle, because this game was played elsewhere")
    for name in sorted(record.keys() ^ (KEYS | {"kind"})):
        if name in record or name != "kind":
            found.add(where, name, "is not a field of a record" if name in record else "is missing")
    with found.reading(where):
        _deal(record, where, found)
    with found.reading(where):
        _chain(record, where, found)
    with found.reading(where):
        counts.plies += _moves(record, where, found)
    counts.games += 1


def _deal(record: dict[str, Any], where: str, found: Findings) -> None:
    """Check that the start follows from the deal's seed, and that from the batch's seed, which was committed
    to."""
    proof = record["proof"]
    seed = proof["deal_seed"]
    if is_local(record):
        found.same(where, "proof.deal_seed", seeds.deal_seed(proof["seed"], 1, proof["deal"]), seed)
        found.same(where, "game", f"{proof['deal']:04}-{proof['leg'] + 1}", record["game"])
        found.same(where, "proof.versions", record["players"], len(proof["versions"]))
    else:
        _commitments(proof, where, found)
    found.same(where, "rules", engine.RULES_VERSION, record["rules"])
    suits = seeds.leg_suits(seed, proof["leg"], engine.SUIT_RELABELLINGS)
    found.same(where, "proof.suits", suits, proof["suits"])
    dealt = engine.any_deal(record["variant"], seed, record["players"]).relabelled(suits)
    found.same(where, "start", str(dealt), record["start"])
    found.same(where, "seats", record["players"], len(record["seats"]))


def _commitments(proof: dict[str, Any], where: str, found: Findings) -> None:
    """Check the deal against the batch and the batch against the tournament, as far as seeds are revealed."""
    batch_seed = proof["batch_seed"]
    if proof["seed"] is not None:
        found.same(where, "proof.seed_commitment", seeds.commitment(proof["seed"]), proof["seed_commitment"])
        found.same(where, "proof.batch_seed", seeds.round_seed(proof["seed"], proof["batch"]), batch_seed)
    if batch_seed is not None:
        found.same(where, "proof.batch_commitment", seeds.commitment(batch_seed), proof["batch_commitment"])
        found.same(where, "proof.deal_seed", seeds.deal_of(batch_seed, proof["deal"]), proof["deal_seed"])


def is_local(record: dict[str, Any]) -> bool:
    """Whether `./crapette play` wrote the record, without a witness."""
    proof = record.get("proof")
    return isinstance(proof, dict) and proof.get("kind") == LOCAL


def _chain(record: dict[str, Any], where: str, found: Findings) -> None:
    """Check the link of each event. The first that differs names the event; the last is the published one."""
    proof, events = record["proof"], record["events"]
    links = bundle.chunks(record["links"])
    found.same(where, "links", len(events), len(links))
    chain = Chain(record["start"])
    for number, (event, link) in enumerate(zip(events, links, strict=False)):
        chain.add([event])
        if chain.link[: bundle.DIGITS] != link:
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
    """Check every event with the engine, then the result. Returns the number of plies."""
    start = engine.any_position(record["start"])
    game = engine.RaceGame(start) if isinstance(start, engine.Race) else engine.Game(start)
    for number, event in enumerate(record["events"]):
        here = f"{where}, event {number}"
        with found.reading(here):
            found.same(here, "n", number, event["n"])
            if event["type"] in NOTES:
                _note(record, event, game, here, found)
            elif not (
                push_tick(game, event, here, found)
                if isinstance(game, engine.RaceGame)
                else _push(game, event, here, found)
            ):
                return game.ply
            found.same(here, "ply", game.ply, event["ply"])
            found.same(here, "clocks", game.players, len(event["clocks"]))
    last = record["events"][-1]
    found.same(f"{where}, event {last.get('n')}", "type", "end", last.get("type"))
    _result(record["result"], game, where, found)
    return game.ply


def _note(record: dict[str, Any], event: dict[str, Any], game: AnyGame, here: str, found: Findings) -> None:
    """Check an event that the referee added: an offer, a refusal or the end."""
    for name in sorted(event.keys() ^ NOTES[event["type"]]):
        found.add(here, name, "does not belong here" if name in event else "is missing")
    if event["type"] == "end":
        for name, value in record["result"].items():
            found.same(here, f"result.{name}", value, event["result"][name])
        found.same(here, "n", len(record["events"]) - 1, event["n"])
    elif isinstance(game, engine.RaceGame):
        found.add(here, "type", f"expected a tick or the end, got {event['type']!r}")
    else:
        found.same(here, "seat", game.turn, event["seat"])


def _push(game: engine.Game, event: dict[str, Any], here: str, found: Findings) -> bool:
    """Carry out the event and compare; return False if the game cannot continue from here.

    If it differs, what was played is taken to be the legal move whose event differs least: so a changed move
    is told from a changed card.
    """
    said = {name: value for name, value in event.items() if name not in REFEREES}
    said_move = [str(said.get("move"))] if "move" in said else []

    def carry_out(word: str) -> engine.Event:
        return game.stop() if word == "stop" else game.push(word)

    best = nearest([*said_move, *game.legal_moves(), "stop"], carry_out, game.pop, said)
    if best is None:
        found.add(here, "move", f"expected a legal move, got {said.get('move')!r}")
        return False
    word, fields = best
    report(fields, said, here, found)
    if len(fields) > 4:
        found.add(here, "move", f"expected a legal move, got {said.get('move')!r}")
        return False
    if fields:
        carry_out(word)
    return True


def _result(result: dict[str, Any], game: AnyGame, where: str, found: Findings) -> None:
    """Check the result against the final position. A forfeit is scored as the referee scores it."""
    termination, seat = result["termination"], result["seat"]
    outcome = game.outcome()
    if termination not in FORFEITS:
        found.same(where, "result.seat", None, seat)
    if isinstance(game, engine.RaceGame) and termination in FORFEITS:
        ranking, points = race_given_away(game, seat)
    elif isinstance(game, engine.Game) and termination in {*FORFEITS, "draw-agreed"}:
        ranking, points = _given(game, seat)
    elif outcome is None:
        found.add(where, "result.termination", f"expected a forfeit or a finished game, got {termination!r}")
        return
    else:
        found.same(where, "result.termination", outcome.result, termination)
        ranking, points = outcome.ranking, outcome.points
    turns = game.ply if isinstance(game, engine.RaceGame) else game.turn_number
    for name, value in (
        ("ranking", bundle.groups(ranking)),
        ("points", list(points)),
        ("left", left_of(game)),
        ("plies", game.ply),
        ("turns", turns),
    ):
        found.same(where, f"result.{name}", value, result[name])


def _given(game: engine.Game, seat: int | None) -> Given:
    """Ranking and points of a game with turns that a seat forfeited, or (None) drawn by agreement."""
    at = standing(str(game.position.public()))
    if seat is None:
        return draw_ranking(game.players, at.out), draw_points(at)
    return forfeit_ranking(game.players, at.out, seat), forfeit_points(at, seat)


def left_of(game: AnyGame) -> list[int]:
    """The number of cards each seat still has. A drawn card belongs to the mover."""
    if isinstance(game, engine.RaceGame):
        return [seat.left for seat in game.position.seats]
    return list(standing(str(game.position.public())).left)
