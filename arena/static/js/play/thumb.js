/**
 * A rule of thumb for whoever asks what to play: the house bot Greedy's order of moves, worked out in the page at once.
 * It looks at no card that the person may not know. Pure: it knows moves, not pages.
 */

import { gettext } from "arena/words";

/** Where a card goes best, and which card goes first, best first (`engine.policies.greedy`). */
const TARGETS = "frdt";
const SOURCES = "rdht";
const [EMPTIES_HOUSE, DRAW, DISCARD, NEVER] = [34, 40, 50, 99];

/**
 * How good a move looks; the lowest is the best.
 * @param {string} move
 * @param {(pile: string) => number} count of cards on a house
 */
export function rankOf(move, count) {
  const [source, target] = move.split("-");
  if (move === "h-d") return DISCARD;
  if (move === "draw") return DRAW;
  if (!target) return NEVER;
  if (source[0] === "t" && target[0] === "t") return count(source) === 1 && count(target) > 0 ? EMPTIES_HOUSE : NEVER;
  return 10 * TARGETS.indexOf(target[0]) + SOURCES.indexOf(source[0]);
}

/**
 * The move that looks best of those that are legal, or nothing if there is none.
 * @param {string[]} moves
 * @param {(pile: string) => number} count
 */
export function bestByThumb(moves, count) {
  return moves.toSorted((one, other) => rankOf(one, count) - rankOf(other, count))[0];
}

/** Why a move looks good. */
export function thumbReason(move) {
  const [source, target] = move.split("-");
  if (move === "draw") return gettext("Nothing on the table looks better: draw.");
  if (move === "h-d") return gettext("The card fits nowhere: discard it.");
  if (!target) return gettext("Nothing is left to do.");
  if (target === "f") return gettext("What goes to a foundation is gone for good.");
  if ("rd".includes(target[0])) return gettext("Load your opponent whenever you can.");
  if (source === "r") return gettext("Your reserve comes first.");
  if (source[0] === "t") return gettext("An empty house is worth a lot.");
  return gettext("Every card that leaves your piles counts.");
}
