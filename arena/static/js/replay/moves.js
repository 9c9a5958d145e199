/** Between piles of the table and moves in notation, for the seat that moves; nothing here knows what is legal. */

import { pileOf } from "arena/replay/cards";

/** The pile that a move starts from: "r-t1" of seat 0 is "r0", "draw" "h0"; nothing for "pass". */
export function sourcePile(move, seat) {
  const from = move.split("-")[0];
  return { r: `r${seat}`, d: `d${seat}`, h: "x", draw: `h${seat}`, pass: "" }[from] ?? from;
}

/** The piles that a move may be dropped on: any foundation of the card's suit (one for each pack) will do. */
export function targetPiles(move, seat, suit, packs = 2) {
  const to = move.split("-")[1];
  if (!to) return [];
  if (to === "f") return Array.from({ length: packs }, (_, index) => `f${suit}${index}`);
  return [to === "d" ? `d${seat}` : to];
}

/** The move from pile to pile, legal or not. */
export function moveBetween(source, target, seat) {
  const kind = pileOf(target).kind;
  const to = kind === "foundation" ? "f" : target === `d${seat}` ? "d" : target;
  const from = source === "x" ? "h" : pileOf(source).kind === "house" ? source : source[0];
  return `${from}-${to}`;
}

/** Whether a card of this pile may ever be moved by the seat. */
export function isOwn(pile, seat) {
  const { kind, seat: owner } = pileOf(pile);
  return kind === "house" || kind === "air" || (owner === seat && kind !== "hand");
}
