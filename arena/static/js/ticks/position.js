/** A position line of the game in ticks (RULES 7) read into plain values, and written again. */

import { SUITS, cardsOf } from "arena/replay/cards";

export const IN_TICKS = "vitesse";

/** Whether a position line is one of the game in ticks. */
export function isInTicks(line) {
  return line.startsWith(`${IN_TICKS} `);
}

function slotsOf(text, seat) {
  return text.split(",").map((slot) => (slot === "-" ? [] : cardsOf(slot, `a slot of seat ${seat}`)));
}

/**
 * The line as values like those of `replay/position`, with `tick`, `stall`, `stopper` and each seat's `slots`, which
 * are piles of one card or none.
 */
export function parseTicks(line) {
  const fields = line.trim().split(" ");
  if (fields.length !== 7) throw new Error(`expected ${IN_TICKS} and 6 more fields, got '${line}'`);
  const [variant, tick, foundations, first, second, stall, tally] = fields;
  const heights = foundations.split("/").map((one) => one.split(",").map(Number));
  const [completed, stopper] = tally.split("/");
  return {
    variant,
    tick: Number(tick),
    turn: Number(tick) % 2,
    phase: "play",
    drawn: null,
    houses: [],
    foundations: Object.fromEntries([...SUITS].map((suit, index) => [suit, heights[index]])),
    seats: [first, second].map((text, seat) => {
      const [reserve, slots, hand, discard] = text.split("/");
      return {
        reserve: cardsOf(reserve, `the reserve of seat ${seat}`),
        slots: slotsOf(slots, seat),
        hand: cardsOf(hand, `the hand of seat ${seat}`),
        discard: cardsOf(discard, `the discard of seat ${seat}`),
      };
    }),
    counters: null,
    stall: Number(stall),
    stopper: stopper === "." ? null : Number(stopper),
    tally: { completed: completed.split(",").map(Number), emptied: [], out: [] },
  };
}

const joined = (cards) => cards.join("") || ".";

/** The line of values as `parseTicks` gives them. */
export function formatTicks({ variant, tick, foundations, seats, stall, stopper, tally }) {
  return [
    variant,
    tick,
    [...SUITS].map((suit) => foundations[suit].join(",")).join("/"),
    ...seats.map(({ reserve, slots, hand, discard }) =>
      [joined(reserve), slots.map(([card]) => card ?? "-").join(","), joined(hand), joined(discard)].join("/")),
    stall,
    `${tally.completed.join(",")}/${stopper ?? "."}`,
  ].join(" ");
}
