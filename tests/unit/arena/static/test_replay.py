"""The viewer's state, module by module in the browser: events there and back give the engine's positions."""

import pytest
from playwright.sync_api import Page

import engine
from engine.turns.knowledge.tracker import Tracker
from tests.browser.records import played

GAMES = [
    ("crapaud", 2),
    ("crapaud-kjq", 2),
    ("crapo", 2),
    ("crapette", 2),
    ("crapette", 3),
    ("crapette", 4),
    ("crapette-it", 2),
    ("crapette-it-strict", 2),
    ("russian-bank", 2),
]

# Forth to the end, back to the start, forth again; at each step the line without what is not drawn.
REPLAY = """async ({start, events}) => {
  const { tableOf } = await import("arena/replay/tables");
  const table = tableOf(start);
  const first = table.line();
  const lines = [];
  for (const event of events) { table.apply(event); lines.push(table.line({known: KNOWN})); }
  const wrong = [];
  for (let index = events.length - 1; index >= 0; index -= 1) {
    if (table.line({known: KNOWN}) !== lines[index]) wrong.push(index);
    table.undo();
  }
  const back = table.line() === first;
  for (const event of events) table.apply(event);
  return {first, lines, wrong, back, again: table.line({known: KNOWN}) === lines.at(-1)};
}"""


def without_marks(line: str) -> str:
    """A position line without the mark of the last action, which a record keeps to itself (RULES 6)."""
    *fields, counters, tally = line.split(" ")
    idle, stall, passes, mute, _mark = counters.split(",")
    return " ".join((*fields, ",".join((idle, stall, passes, mute, "-")), tally))


@pytest.mark.parametrize(("variant", "players"), GAMES)
def test_events_lead_through_the_engines_positions_and_back(
    modules: Page, variant: str, players: int
) -> None:
    game = played(variant, players, seed=11)

    shown = modules.evaluate(REPLAY.replace("KNOWN", "false"), {"start": game.start, "events": game.events})

    assert shown["first"] == game.start
    assert [without_marks(line) for line in shown["lines"]] == [without_marks(line) for line in game.lines]
    assert shown["wrong"] == []
    assert shown["back"]
    assert shown["again"]


@pytest.mark.parametrize(("variant", "players"), [("crapaud", 2), ("crapette", 3), ("crapette-it", 2)])
def test_a_game_followed_as_the_public_sees_it_never_needs_a_hidden_card(
    modules: Page, variant: str, players: int
) -> None:
    game = played(variant, players, seed=23, public=True)

    # What the page has learned is more than one position shows: compare tops, counts and open piles.
    shown = modules.evaluate(REPLAY.replace("KNOWN", "false"), {"start": game.start, "events": game.events})

    def open_part(line: str) -> list[str]:
        fields = line.split(" ")
        seats = [
            [
                f"{len(pile.replace('.', '')) // 2}{'' if hand else pile[-2:]}"
                for hand, pile in zip((0, 1, 0), seat.split("/"), strict=True)
            ]
            for seat in fields[6:-2]
        ]
        return [*fields[:6], str(seats), fields[-1]]

    assert [open_part(line) for line in shown["lines"]] == [open_part(line) for line in game.lines]
    assert shown["back"]


def test_an_event_that_does_not_fit_is_refused_in_words_and_changes_nothing(modules: Page) -> None:
    game = played("crapaud", 2, seed=3, plies=40)

    said = modules.evaluate(
        """async ({start}) => {
          const { Table } = await import("arena/replay/table");
          const table = new Table(start);
          const before = table.line();
          const said = [];
          for (const event of [
            {type: "move", seat: 0, move: "t1-f", card: "AS", from: "x", to: "fS0"},
            {type: "move", seat: 0, move: "t1-f", card: "??", from: "t99", to: "fS0"},
          ]) {
            try { table.apply(event); } catch (error) { said.push(error.message); }
          }
          return {said, same: table.line() === before};
        }""",
        {"start": game.start},
    )

    assert said == {
        "said": ["expected a card on x to move, got none", "expected a pile of this table, got 't99'"],
        "same": True,
    }


def test_a_damaged_record_shows_what_was_valid_and_says_where_it_breaks(modules: Page) -> None:
    game = played("crapaud", 2, seed=3, plies=40)
    events = [
        *game.events[:20],
        {"type": "move", "seat": 0, "move": "r-f", "card": "AS", "from": "x", "to": "fS0"},
    ]

    shown = modules.evaluate(
        """async (record) => {
          const { Timeline } = await import("arena/replay/timeline");
          const timeline = new Timeline(record);
          return {length: timeline.length, fault: timeline.fault, line: timeline.head.line()};
        }""",
        {"start": game.start, "events": events, "clock": {"bank_ms": 60000}},
    )

    assert shown["length"] == 20
    assert without_marks(shown["line"]) == without_marks(game.lines[19])
    assert shown["fault"].startswith("This record is damaged after ply 20: expected ")


@pytest.mark.parametrize("variant", ["crapaud", "crapette"])
def test_the_memory_is_what_a_seat_can_know_and_no_more(modules: Page, variant: str) -> None:
    game = played(variant, 2, seed=5, plies=420)
    table = engine.TurnGame.replay(
        engine.Position.parse(game.start), [event["move"] for event in game.events]
    ).game
    tracker = Tracker.of(table.observation(0))

    shown = modules.evaluate(
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

    known = [
        [[None if card == "??" else card for card in reversed(pile)] for pile in seat.piles]
        for seat in tracker.position.seats
    ]
    pools = [dict(+pool) for pool in tracker.pools]
    assert shown["piles"] == known
    assert shown["pools"] == (pools[:1] if variant == "crapaud" else pools)


def test_every_card_has_its_place_in_each_shape_of_felt(modules: Page) -> None:

    outside = modules.evaluate(
        """async () => {
          const { layoutOf, fanStep } = await import("arena/replay/layout");
          const wrong = [];
          // A third larger than 71 pixels, on a screen of 1440 x 900.
          const desk = {width: 1126, height: 638, players: 2, reserve: true, houses: 8, bottom: 0, own: true};
          const { card } = layoutOf(desk);
          if (card.width < 94) wrong.push(`cards of ${card.width}`);
          for (const players of [2, 3, 4])
            for (const [width, height] of
                [[340, 460], [390, 640], [740, 340], [900, 600], [1200, 700], [3600, 1900]])
              for (let index = 0; index < 2 * players; index += 1) {
                const [bottom, own] = [index % players, index >= players];
                const felt = {width, height, players, reserve: true, houses: 4 * players, bottom, own};
                const layout = layoutOf(felt);
                const where = `${layout.shape} ${players} ${width}x${height} from ${bottom}`;
                const hand = (seat) => layout.slots.get(`h${seat}`).y;
                if (own && players === 2 && hand(bottom) < hand(1 - bottom) + layout.card.height)
                  wrong.push(`${where}: the own seat is not below`);
                for (const [name, slot] of layout.slots) {
                  const along = 12 * fanStep(slot, layout.card, 13);
                  const left = slot.fan === "left" ? slot.x - along : slot.x;
                  const right = slot.x + layout.card.width + (slot.fan === "right" ? along : 0);
                  const low = slot.y + layout.card.height + (slot.fan === "down" ? along : 0);
                  if (left < -1 || right > width + 1 || slot.y < -1 || low > height + 1)
                    wrong.push([where, name, left, right, slot.y, low].join(" "));
                }
                if (layout.panels.length !== players) wrong.push(`${where}: panels`);
              }
          return wrong;
        }"""
    )

    assert outside == []
