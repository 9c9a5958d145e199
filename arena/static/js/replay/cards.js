/** Cards and piles by their notation: "TH", "t3", "r0", "fS1"; and their names for people. */

import { gettext } from "arena/words";

export const SUITS = "SHDC";
export const RANKS = "A23456789TJQK";

/** The order in which a foundation of the variant is built. */
export function ranksOf(variant) {
  return variant === "crapaud-kjq" ? "A23456789TQJK" : RANKS;
}

export const HIDDEN = "??";

const SUIT_GLYPHS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const SUIT_NAMES = { S: gettext("spades"), H: gettext("hearts"), D: gettext("diamonds"), C: gettext("clubs") };
const RANK_NAMES = { A: gettext("ace"), J: gettext("jack"), Q: gettext("queen"), K: gettext("king"), T: "10" };

export function isCard(text) {
  return text === HIDDEN || (text.length === 2 && RANKS.includes(text[0]) && SUITS.includes(text[1]));
}

/** The cards of a pile in a position line, bottom first. */
export function cardsOf(text, where) {
  if (text === ".") return [];
  const cards = text.match(/../g) ?? [];
  if (text.length % 2 || !cards.every(isCard)) throw new Error(`expected cards in ${where}, got '${text}'`);
  return cards;
}

/** "TH" as "10♥". */
export function shortName(card) {
  if (!card || card === HIDDEN) return gettext("a card");
  return (card[0] === "T" ? "10" : card[0]) + SUIT_GLYPHS[card[1]];
}

/** "TH" as "10 of hearts". */
export function longName(card) {
  if (!card || card === HIDDEN) return gettext("hidden card");
  return gettext("{rank} of {suit}", { rank: RANK_NAMES[card[0]] ?? card[0], suit: SUIT_NAMES[card[1]] });
}

const PILE_NAMES = {
  reserve: gettext("reserve"),
  hand: gettext("hand"),
  discard: gettext("discard"),
  foundation: gettext("foundation"),
  house: gettext("house"),
  slot: gettext("slot"),
};

/** What a pile of this kind is called. */
export function kindName(kind) {
  return PILE_NAMES[kind] ?? kind;
}

/** What a pile is: {kind: house|reserve|discard|hand|slot|air|foundation, seat, number, suit}. */
export function pileOf(name) {
  const kind = { t: "house", r: "reserve", d: "discard", h: "hand", x: "air", f: "foundation", s: "slot" }[name[0]];
  if (kind === "house") return { kind, number: Number(name.slice(1)) };
  if (kind === "foundation") return { kind, suit: name[1], number: Number(name.slice(2)) };
  if (kind === "air") return { kind };
  if (kind === "slot") return { kind, seat: Number(name[1]), number: Number(name.slice(3)) };
  if (kind) return { kind, seat: Number(name.slice(1)) };
  throw new Error(`expected a pile such as t1, r0 or fS0, got '${name}'`);
}

export function suitName(suit) {
  return SUIT_NAMES[suit];
}
