/** A tick in words: what each seat did, the one with priority first. */

import { kindName, pileOf, shortName, suitName } from "arena/replay/cards";
import { doneBy, isLate, orderOf } from "arena/ticks/tick";
import { gettext, labelled } from "arena/words";

function placeWords(name) {
  const { kind, number } = pileOf(name);
  return kind === "slot" ? gettext("slot {number}", { number }) : kindName(kind);
}

function doneWords(entry, isYou) {
  const card = shortName(entry.card);
  if (entry.move === "stop") return gettext("“Stop, crapette!”");
  if (entry.move === "turn") {
    const turned = entry.flip !== undefined && entry.flip !== null;
    if (isYou) return turned ? gettext("turn over the discard, turn up {card}", { card }) : gettext("turn up {card}", { card });
    return turned ? gettext("turns over the discard, turns up {card}", { card }) : gettext("turns up {card}", { card });
  }
  const from = placeWords(entry.from);
  return entry.missed
    ? gettext("{card} {pile}: too late", { card, pile: from })
    : gettext("{card} {pile} → foundation", { card, pile: from });
}

/**
 * What the seats did in a tick, in order of priority: {seat, words, tone}; the tone is "late", "missed", "stop",
 * "wait" or nothing. `you` is the reader's seat, if they play.
 * @param {object} event
 * @param {number} [you]
 */
export function partsOf(event, you) {
  return orderOf(event).map((seat) => {
    const entry = doneBy(event, seat);
    const isYou = seat === you;
    if (isLate(event, seat)) return { seat, words: isYou ? gettext("wait (late)") : gettext("waits (late)"), tone: "late" };
    if (!entry) return { seat, words: isYou ? gettext("wait") : gettext("waits"), tone: "wait" };
    const tone = entry.missed ? "missed" : entry.move === "stop" ? "stop" : "";
    return { seat, words: doneWords(entry, isYou), tone };
  });
}

/** A tick in one line: "Greedy 3♥ slot 2 → foundation, Random turns up 9♣". */
export function tickWords(event, names) {
  const parts = partsOf(event, names.you);
  if (parts.every(({ tone }) => tone === "wait")) return gettext("Both wait");
  return parts.map(({ seat, words }) => `${names[seat]} ${words}`).join(", ");
}

/** The same for a screen reader, with what was completed and turned up. */
export function spokenTick(event, names) {
  const extra = (event.done ?? []).flatMap(({ completed, refill, reveal }) => [
    completed ? gettext("{suit} complete", { suit: suitName(completed[1]) }) : "",
    refill ? gettext("slot refilled with {card}", { card: shortName(refill) }) : "",
    reveal ? gettext("{card} revealed", { card: shortName(reveal[1]) }) : "",
  ]).filter(Boolean);
  return labelled(gettext("Tick {number}", { number: event.tick + 1 }), [tickWords(event, names), ...extra].join(", "));
}

/** A word for a seat's panel after a tick, or nothing. */
export function flagOf(event, seat) {
  if (event?.type !== "tick") return "";
  const { tone } = partsOf(event).find((part) => part.seat === seat);
  return { late: gettext("late"), missed: gettext("too late"), stop: gettext("stop!") }[tone] ?? "";
}
