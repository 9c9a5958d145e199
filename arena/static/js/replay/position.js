/** A position line (RULES 1) read into plain values, and written again. */

import { isInTicks, parseTicks } from "arena/ticks/position";
import { SUITS, cardsOf } from "arena/replay/cards";

function digits(text) {
  return text === "." ? [] : [...text].map(Number);
}

/**
 * The line as {variant, turn, phase, drawn, houses, foundations, seats, counters, tally}.
 * Piles are lists of cards, bottom first; foundations are heights by suit, highest first. Of a game in ticks see `ticks/position`.
 */
export function parsePosition(line) {
  if (isInTicks(line)) return parseTicks(line);
  const fields = line.trim().split(" ");
  if (fields.length < 10) throw new Error(`expected a position of at least 10 fields, got '${line}'`);
  const [variant, turn, phase, drawn, houses, foundations, ...rest] = fields;
  const tally = rest.pop();
  const counters = rest.pop();
  const [completed, emptied, out] = tally.split("/");
  const heights = foundations.split("/").map((one) => one.split(",").map(Number));
  if (heights.length !== 4) throw new Error(`expected the foundations of four suits, got '${foundations}'`);
  return {
    variant,
    turn: Number(turn),
    phase,
    drawn: drawn === "-" ? null : drawn,
    houses: houses.split("/").map((house, index) => cardsOf(house, `house ${index + 1}`)),
    foundations: Object.fromEntries([...SUITS].map((suit, index) => [suit, heights[index]])),
    seats: rest.map((seat, index) => {
      const [reserve, hand, discard] = seat.split("/");
      return {
        reserve: cardsOf(reserve, `the reserve of seat ${index}`),
        hand: cardsOf(hand, `the hand of seat ${index}`),
        discard: cardsOf(discard, `the discard of seat ${index}`),
      };
    }),
    counters,
    tally: { completed: completed.split(",").map(Number), emptied: digits(emptied), out: digits(out) },
  };
}

const joined = (cards) => cards.join("") || ".";

/** The line of values as `parsePosition` gives them. */
export function formatPosition(position) {
  const { completed, emptied, out } = position.tally;
  return [
    position.variant,
    position.turn,
    position.phase,
    position.drawn ?? "-",
    position.houses.map(joined).join("/"),
    [...SUITS].map((suit) => position.foundations[suit].join(",")).join("/"),
    ...position.seats.map((seat) => [seat.reserve, seat.hand, seat.discard].map(joined).join("/")),
    position.counters,
    [completed.join(","), emptied.join("") || ".", out.join("") || "."].join("/"),
  ].join(" ");
}
