/** A tick in words: what each seat did, the one with priority first. */

import { pileOf, shortName, suitName } from "arena/replay/cards";
import { doneBy, isLate, orderOf } from "arena/ticks/tick";

function placeWords(name) {
  const { kind, number } = pileOf(name);
  return kind === "slot" ? `slot ${number}` : kind;
}

function doneWords(entry) {
  const card = shortName(entry.card);
  if (entry.move === "stop") return "“Stop, crapette!”";
  if (entry.move === "turn") {
    const turned = entry.flip === undefined || entry.flip === null ? "" : "turns over the discard, ";
    return `${turned}turns up ${card}`;
  }
  const from = placeWords(entry.from);
  return entry.missed ? `${card} ${from}: too late` : `${card} ${from} → foundation`;
}

/**
 * What the seats did in a tick, in order of priority: {seat, words, tone}; the tone is "late", "missed", "stop",
 * "wait" or nothing.
 */
export function partsOf(event) {
  return orderOf(event).map((seat) => {
    const entry = doneBy(event, seat);
    if (isLate(event, seat)) return { seat, words: "waits (late)", tone: "late" };
    if (!entry) return { seat, words: "waits", tone: "wait" };
    const tone = entry.missed ? "missed" : entry.move === "stop" ? "stop" : "";
    return { seat, words: doneWords(entry), tone };
  });
}

/** A tick in one line: "Greedy 3♥ slot 2 → foundation, Random turns up 9♣". */
export function tickWords(event, names) {
  const parts = partsOf(event);
  if (parts.every(({ tone }) => tone === "wait")) return "Both wait";
  return parts.map(({ seat, words }) => `${names[seat]} ${words}`).join(", ");
}

/** The same for a screen reader, with what was completed and turned up. */
export function spokenTick(event, names) {
  const extra = (event.done ?? []).flatMap(({ completed, refill, reveal }) => [
    completed ? `${suitName(completed[1])} complete` : "",
    refill ? `slot refilled with ${shortName(refill)}` : "",
    reveal ? `${shortName(reveal[1])} revealed` : "",
  ]).filter(Boolean);
  return `Tick ${event.tick + 1}: ${[tickWords(event, names), ...extra].join(", ")}`;
}

/** A word for a seat's panel after a tick, or nothing. */
export function flagOf(event, seat) {
  if (event?.type !== "tick") return "";
  const { tone } = partsOf(event).find((part) => part.seat === seat);
  return { late: "late", missed: "too late", stop: "stop!" }[tone] ?? "";
}
