"""The viewer's scripts in Node, without a page: positions as the engine has them, and where cards lie."""

import json
import subprocess
from typing import Any, Final

import pytest

import engine
from engine.turns.knowledge.tracker import Tracker
from tests.factories.records import Recorded, in_ticks, played
from tests.site import ROOT

FOLDER: Final = (ROOT / "arena/static/js").as_uri()
RESOLVE: Final = f"""export const resolve = (name, context, next) =>
  name.startsWith("arena/")
    ? {{ url: `{FOLDER}/${{name.slice(6)}}.js`, format: "module", shortCircuit: true }}
    : next(name, context);"""
PROGRAM: Final = """import {{ readFileSync }} from "node:fs";
import {{ register }} from "node:module";
register("data:text/javascript," + encodeURIComponent({resolve}));
const argument = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(await ({function})(argument)));"""


def run(function: str, argument: object = None) -> Any:
    """What a function in JavaScript makes of an argument; it imports modules as pages do."""
    program = PROGRAM.format(resolve=json.dumps(RESOLVE), function=function)
    command = ["node", "--input-type=module", "--eval", program]
    given = json.dumps(argument)
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


# Forth to the end, back to the start, forth again; at each step the line without what is not drawn.
REPLAY = """async (games) => {
  const { tableOf } = await import("arena/replay/tables");
  return games.map(({start, events}) => {
    const table = tableOf(start), first = table.line(), lines = [], wrong = [];
    for (const event of events) { table.apply(event); lines.push(table.line({known: false})); }
    const known = table.line({known: true});
    for (let index = events.length - 1; index >= 0; index -= 1) {
      if (table.line({known: false}) !== lines[index]) wrong.push(index);
      table.undo();
    }
    const back = table.line() === first;
    for (const event of events) table.apply(event);
    return {first, lines, wrong, known, again: back && table.line({known: false}) === lines.at(-1)};
  });
}"""


def replayed(*games: Recorded) -> list[dict[str, Any]]:
    """What the viewer makes of games: it comes to each position again on its way back."""
    found: list[dict[str, Any]] = run(REPLAY, [{"start": one.start, "events": one.events} for one in games])
    for game, shown in zip(games, found, strict=True):
        assert (shown["wrong"], shown["again"]) == ([], True), game.start
    return found


def without_marks(line: str) -> str:
    """A position line without the mark of the last action, which a record keeps to itself (RULES 6)."""
    *fields, counters, tally = line.split(" ")
    return " ".join((*fields, counters.rpartition(",")[0], tally))


def test_events_lead_through_the_engines_positions_and_back() -> None:
    two = ("crapaud", "crapaud-kjq", "crapo", "crapette", "crapette-it", "crapette-it-strict", "russian-bank")
    kinds = [*((variant, 2) for variant in two), ("crapette", 3), ("crapette", 4)]
    games = [played(variant, players, seed=11) for variant, players in kinds]
    for game, shown in zip(games, replayed(*games), strict=True):
        assert shown["first"] == game.start
        assert list(map(without_marks, shown["lines"])) == list(map(without_marks, game.lines)), game.start
    games = [in_ticks(seed) for seed in (259, 7)]
    for game, shown in zip(games, replayed(*games), strict=True):
        assert (shown["first"], shown["lines"]) == (game.start, game.lines)


def open_part(line: str) -> list[str]:
    """What everybody sees: tops, counts and open piles."""
    fields = line.split(" ")
    seats = [
        [
            f"{len(pile.replace('.', '')) // 2}{'' if hand else pile[-2:]}"
            for hand, pile in zip((0, 1, 0), seat.split("/"), strict=True)
        ]
        for seat in fields[6:-2]
    ]
    return [*fields[:6], str(seats), fields[-1]]


def test_a_game_followed_as_the_public_sees_it_never_needs_a_hidden_card() -> None:
    kinds = [("crapaud", 2), ("crapette", 3), ("crapette-it", 2)]
    games = [played(variant, players, seed=23, public=True) for variant, players in kinds]
    # What the page has learned is more than one position shows.
    for game, shown in zip(games, replayed(*games), strict=True):
        assert list(map(open_part, shown["lines"])) == list(map(open_part, game.lines)), game.start
    game = in_ticks(11, public=True)
    shown, last = replayed(game)[0]["known"].split(" "), game.lines[-1].split(" ")
    assert (shown[:3], shown[5:]) == (last[:3], last[5:])


def test_an_event_that_does_not_fit_is_refused_in_words_and_what_was_valid_is_shown() -> None:
    game = played("crapaud", 2, seed=3, plies=40)
    wrong = {"type": "move", "seat": 0, "move": "r-f", "card": "AS", "from": "x", "to": "fS0"}
    record = {"start": game.start, "events": [*game.events[:20], wrong], "clock": {"bank_ms": 60000}}
    shown = run(
        """async (record) => {
          const { Table } = await import("arena/replay/table");
          const { Timeline } = await import("arena/replay/timeline");
          const table = new Table(record.start), before = table.line(), said = [];
          const wrong = record.events.at(-1);
          for (const event of [wrong, {...wrong, card: "??", from: "t99"}])
            try { table.apply(event); } catch (error) { said.push(error.message); }
          const { length, fault, head } = new Timeline(record);
          return {said, same: table.line() === before, length, fault, line: head.line()};
        }""",
        record,
    )
    assert shown["said"] == [
        "expected a card on x to move, got none",
        "expected a pile of this table, got 't99'",
    ]
    assert (shown["same"], shown["length"]) == (True, 20)
    assert without_marks(shown["line"]) == without_marks(game.lines[19])
    assert shown["fault"].startswith("This record is damaged after ply 20: expected ")


@pytest.mark.parametrize("variant", ["crapaud", "crapette"])
def test_the_memory_is_what_a_seat_can_know_and_no_more(variant: str) -> None:
    game = played(variant, 2, seed=5, plies=420)
    moves = [event["move"] for event in game.events]
    tracker = Tracker.of(engine.TurnGame.replay(engine.Position.parse(game.start), moves).game.observation(0))
    shown = run(
        """async ({start, events}) => {
          const { Table } = await import("arena/replay/table");
          const { knownPile, poolsOf } = await import("arena/replay/unseen");
          const table = new Table(start);
          for (const event of events) table.apply(event);
          const piles = [0, 1].map((seat) => ["r", "h", "d"].map((name) => knownPile(table, name + seat)));
          const pools = poolsOf(table).map(({counts}) => [...counts].filter(([, count]) => count));
          return {piles, pools: pools.map((pool) => Object.fromEntries(pool))};
        }""",
        {"start": game.start, "events": game.events},
    )
    assert shown["piles"] == [
        [[None if card == "??" else card for card in reversed(pile)] for pile in seat.piles]
        for seat in tracker.position.seats
    ]
    pools = [dict(+pool) for pool in tracker.pools]
    assert shown["pools"] == (pools[:1] if variant == "crapaud" else pools)
