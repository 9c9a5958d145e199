"""The game in ticks in the browser: its table tick by tick, its words, and a game played."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.checks import violations
from tests.browser.records import in_ticks
from tests.browser.test_state import REPLAY


@pytest.mark.parametrize("seed", [259, 7])
def test_ticks_lead_through_the_engines_positions_and_back(modules: Page, seed: int) -> None:
    game = in_ticks(seed)

    shown = modules.evaluate(REPLAY.replace("KNOWN", "false"), {"start": game.start, "events": game.events})

    assert shown == {"first": game.start, "lines": game.lines, "wrong": [], "back": True, "again": True}


def test_a_game_in_ticks_followed_as_the_public_sees_it_ends_on_the_engines_public_position(
    modules: Page,
) -> None:
    game = in_ticks(11, public=True)

    shown = modules.evaluate(
        """async ({start, events}) => {
          const { tableOf } = await import("arena/replay/tables");
          const table = tableOf(start);
          for (const event of events) table.apply(event);
          const piles = (line) => line.split(" ").slice(3, 5).map((seat) => {
            const [reserve, slots, hand, discard] = seat.split("/");
            return [reserve.slice(-2), reserve.length, slots, hand.length, discard.slice(-2), discard.length];
          });
          return {mine: piles(table.line()), line: table.line({known: true}).split(" ")};
        }""",
        {"start": game.start, "events": game.events},
    )

    last = game.lines[-1].split(" ")
    assert shown["line"][:3] == last[:3]
    assert shown["line"][5:] == last[5:]
    assert shown["mine"] == [
        [reserve[-2:], len(reserve), slots, len(hand), discard[-2:], len(discard)]
        for reserve, slots, hand, discard in (seat.split("/") for seat in last[3:5])
    ]


def test_a_tick_is_described_in_order_of_priority_with_late_seats_and_late_cards(modules: Page) -> None:

    told = modules.evaluate(
        """async () => {
          const { eventWords } = await import("arena/replay/words");
          const { flagOf } = await import("arena/ticks/words");
          const { marksOfTick } = await import("arena/ticks/tick");
          const card = {card: "4S", from: "r0", to: "fS0"};
          const ticks = [
            {tick: 1, done: [
              {seat: 1, move: "r-f", ...card, from: "r1"}, {seat: 0, move: "r-f", ...card, missed: true},
            ]},
            {tick: 2, late: [0], done: [{seat: 1, move: "turn", card: "TH", from: "h1", to: "d1", flip: 1}]},
            {tick: 3, done: [{seat: 0, move: "stop", card: null, from: null, to: null}], stopper: 0},
            {tick: 4, done: []},
          ].map((tick) => ({type: "tick", stall: 0, stopper: null, ...tick}));
          const table = {pile: () => ["a card"]};
          return ticks.map((tick) => [
            eventWords(tick, ["Ann", "Bot"]), flagOf(tick, 0), marksOfTick(tick, table).join(),
          ]);
        }"""
    )

    assert told == [
        ["Bot 4♠ reserve → foundation, Ann 4♠ reserve: too late", "too late", "missed,foundation"],
        ["Ann waits (late), Bot turns over the discard, turns up 10♥", "late", "turned,late"],
        ["Bot waits, Ann “Stop, crapette!”", "stop!", "stop"],
        ["Both wait", "", ""],
    ]


def test_every_pile_of_a_game_in_ticks_has_its_own_place_on_each_shape_of_felt(modules: Page) -> None:

    wrong = modules.evaluate(
        """async () => {
          const { tickLayout } = await import("arena/ticks/layout");
          const wrong = [];
          // What a finger touches, on a phone of 360 x 740.
          const { card } = tickLayout({width: 350, height: 366, bottom: 0});
          if (card.width < 44) wrong.push(`cards of ${card.width}`);
          for (const [width, height] of
              [[340, 400], [340, 460], [390, 640], [740, 340], [900, 600], [1200, 700], [3600, 1900]])
            for (const bottom of [0, 1]) {
              const { card, slots, panels } = tickLayout({width, height, bottom});
              const where = `${width}x${height} from ${bottom}`;
              const boxes = [...slots].map(([name, {x, y}]) => ({name, x, y}));
              if (boxes.length !== 22) wrong.push(`${where}: ${boxes.length} piles`);
              for (const one of boxes) {
                const [right, low] = [one.x + card.width, one.y + card.height];
                if (one.x < -1 || right > width + 1 || one.y < -1 || low > height + 1)
                  wrong.push(`${where}: ${one.name} is outside`);
                for (const other of boxes)
                  if (one.name < other.name && Math.abs(one.x - other.x) < card.width - 1
                      && Math.abs(one.y - other.y) < card.height - 1)
                    wrong.push(`${where}: ${one.name} lies on ${other.name}`);
              }
              for (const panel of panels)
                if (panel.width < 90) wrong.push(`${where}: a panel of ${panel.width}`);
            }
          return wrong;
        }"""
    )

    assert wrong == []


def keys(page: Page) -> str:
    """What can be played now, as its key: a card before a turn, a turn before waiting."""
    piles = page.locator(".is-source").evaluate_all("slots => slots.map((slot) => slot.dataset.pile)")
    cards = [pile[-1] if pile[0] == "s" else pile[0] for pile in piles if pile[0] != "h"]
    return cards[0] if cards else "t" if piles else " "


def test_a_guest_plays_ticks_against_a_bot_pauses_resigns_and_steps_through_the_game(page: Page) -> None:
    page.goto("/play/?variant=vitesse")
    page.get_by_text("Seat, clock, rated game").click()
    page.get_by_label("Your seat").select_option("0")
    page.get_by_label("Length of a tick").select_option("wait")
    page.get_by_role("button", name="Deal").click()
    status, ticks = page.locator("[data-status]"), page.locator("[data-log] li")
    expect(status).to_contain_text("Ready?")
    assert violations(page) == []

    page.keyboard.press(" ")
    for tick in range(3):
        expect(status).to_have_text(re.compile(f"^Tick {tick + 1}: your choice"))
        page.keyboard.press(keys(page))
        expect(ticks).to_have_count(tick + 1)
    page.keyboard.press("h")
    # First the page's own rule of thumb, then what the search found.
    expect(page.locator("[data-reason]")).to_have_text(re.compile("^(?!Rule).*Press again for more.$"))
    expect(page.get_by_role("button", name="Stop, crapette!")).to_be_disabled()
    page.keyboard.press("s")
    expect(page.locator("[data-reason]")).to_have_text("You can call stop once your reserve is empty.")

    # With a second a tick who does nothing is late; a paused game stays so over a reload.
    page.locator('[data-choice="pace"]').select_option("1000")
    expect(ticks.filter(has_text="wait (late)").first).to_be_attached()
    page.get_by_role("button", name="Pause").click()
    expect(status).to_have_text(re.compile(r"^Paused in tick \d+\."))
    page.reload()
    expect(status).to_have_text(re.compile("^Paused in tick"))
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    page.get_by_role("link", name="Replay").click()

    expect(page.locator("[data-where]")).to_have_text(re.compile(r"^Tick 0 of \d+$"))
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-where]")).to_have_text(re.compile(r"^Tick 1 of \d+$"))
    expect(page.locator('[data-moves] [aria-current="step"]')).to_contain_text("1")
    page.keyboard.press("End")
    expect(page.locator("[data-status]")).to_contain_text("resigned")
    expect(page.get_by_role("tab", name="Analysis")).to_have_count(0)
    assert violations(page) == []
