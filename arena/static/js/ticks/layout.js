/**
 * Where things lie in the game in ticks: foundations in the middle, a seat's reserve, slots, discard and hand above
 * and below. No houses. Pure geometry, like `replay/layout`.
 */

import { SUITS } from "arena/replay/cards";
import { bySeat, seatsFrom, sized } from "arena/replay/layout";

const SEATS = 2;
const PANEL = 44;
const BESIDE = 150;
/** Widths of a card: the seven piles of a seat with their gaps, eight foundations with theirs. */
const ROW = 8.7;

/** @param {import("arena/replay/layout").Felt} felt */
export function tickLayout(felt) {
  return felt.width < felt.height * 0.98 ? tall(felt) : table(felt);
}

function put(slots, name, x, y) {
  slots.set(name, { x, y, fan: null, room: 0 });
}

/** Eight in a row or four above four, the suits beside each other; the one built first nearer to the seat below. */
function foundations(slots, { card, middle, top, pitch, rows }) {
  const columns = 8 / rows;
  const left = middle - ((columns - 1) * pitch + card.width) / 2;
  [...SUITS].forEach((suit, order) => {
    for (let index = 0; index < 2; index += 1) {
      const column = rows === 1 ? order * 2 + index : order;
      put(slots, `f${suit}${index}`, left + column * pitch, top + (rows === 1 ? 0 : index) * card.height * 1.09);
    }
  });
}

/** The piles of a seat from its left to its right, with the gap before each in widths of a card. */
const PILES = [["r", 0], ["1", 0.32], ["2", 0.1], ["3", 0.1], ["4", 0.1], ["d", 0.32], ["h", 0.14]];
const pileName = (pile, seat) => ("1234".includes(pile) ? `s${seat}.${pile}` : pile + seat);

/** Lays piles in a row from x on; a seat above sits opposite, so that its left is our right. */
function row(slots, piles, { seat, x, y, card, turned }) {
  let at = 0;
  const places = piles.map(([pile, gap], index) => {
    at += index ? gap + 1 : 0;
    return [pile, at];
  });
  const last = places.at(-1)[1];
  for (const [pile, place] of places) put(slots, pileName(pile, seat), x + (turned ? last - place : place) * card.width, y);
}

function span(piles) {
  return piles.reduce((sum, [, gap], index) => sum + 1 + (index ? gap : 0), 0);
}

function table(felt) {
  const { width, height } = felt;
  const pad = Math.max(6, Math.min(width, height) * 0.016);
  const high = ((height - 2 * pad) / 3.5) * (5 / 7);
  // A small table shows no panels, and its cards take their room.
  const aside = felt.bare ? 0 : BESIDE;
  const beside = Math.min(high, (width - 2 * pad - aside) / ROW);
  const above = Math.min(((height - 2 * pad - 2 * PANEL) / 3.6) * (5 / 7), (width - 2 * pad) / ROW);
  const strip = !felt.bare && above > beside;
  const card = sized(strip ? above : beside);
  const slots = new Map();
  const length = span(PILES) * card.width;
  const centred = (width - length) / 2;
  const x = strip ? centred : Math.max(centred, pad + aside);
  const panels = seatsFrom(felt.bottom, SEATS).map((seat, index) => {
    const turned = index === 1;
    const edge = strip ? pad + PANEL + 4 : pad;
    const y = turned ? edge : height - edge - card.height;
    row(slots, PILES, { seat, x, y, card, turned });
    return strip
      ? { seat, x: x + card.width * 0.8, y: turned ? pad : height - pad - PANEL, width: length - card.width * 0.8, height: PANEL, align: "left" }
      : { seat, x: pad, y, width: x - pad * 2, height: card.height, align: "left" };
  });
  const pitch = Math.min(card.width * 1.1, (2 * Math.min(x + length / 2, width - x - length / 2) - card.width - 2 * pad) / 7);
  foundations(slots, { card, middle: x + length / 2, top: (height - card.height) / 2, pitch, rows: 1 });
  return { shape: "table", card, slots, panels: bySeat(panels) };
}

/** The same with hardly a gap, as wide as a phone: its cards are what a finger touches. */
const CLOSE = [["r", 0], ["1", 0.14], ["2", 0.05], ["3", 0.05], ["4", 0.05], ["d", 0.14], ["h", 0.06]];
/** The height of a panel above or below a seat's row, and what the counts on the piles need. */
const LINE = 28;
const COUNTS = 10;

function tall(felt) {
  const one = inOneRow(felt);
  const two = inTwoRows(felt);
  return one.card.width >= two.card.width ? one : two;
}

/** Each seat's seven piles in one row, its panel beyond them. */
function inOneRow(felt) {
  const { width, height } = felt;
  const pad = 2;
  const line = felt.bare ? 0 : LINE;
  const edge = pad + line + COUNTS;
  const high = ((height - 2 * edge) / 4.3) * (5 / 7);
  const card = sized(Math.min((width - 2 * pad) / span(CLOSE), high));
  const slots = new Map();
  const x = (width - span(CLOSE) * card.width) / 2;
  const panels = seatsFrom(felt.bottom, SEATS).map((seat, index) => {
    const turned = index === 1;
    row(slots, CLOSE, { seat, x, y: turned ? edge : height - edge - card.height, card, turned });
    return { seat, x: pad, y: turned ? pad : height - pad - line, width: width - 2 * pad, height: line, align: "left" };
  });
  const block = card.height * 2.09;
  foundations(slots, { card, middle: width / 2, top: (height - block) / 2, pitch: card.width * 1.25, rows: 2 });
  return { shape: "tall", card, slots, panels: bySeat(panels) };
}

/** The slots and the reserve nearer to the middle, discard and hand beyond them beside the panel. */
function inTwoRows(felt) {
  const { width, height } = felt;
  const pad = Math.max(5, width * 0.012);
  const card = sized(Math.min((width - 2 * pad) / 5.75, ((height - 2 * pad) / 6.9) * (5 / 7)));
  const gap = card.height * 0.13;
  const slots = new Map();
  const near = PILES.slice(0, 5);
  const far = PILES.slice(5);
  const panels = seatsFrom(felt.bottom, SEATS).map((seat, index) => {
    const turned = index === 1;
    const left = (width - span(near) * card.width) / 2;
    const right = left + (span(near) - span(far)) * card.width;
    const outer = turned ? pad : height - pad - card.height;
    const inner = turned ? outer + card.height + gap : outer - card.height - gap;
    row(slots, near, { seat, x: left, y: inner, card, turned });
    row(slots, far, { seat, x: right, y: outer, card, turned });
    return { seat, x: left, y: outer, width: right - left - pad, height: card.height, align: "left" };
  });
  const block = card.height * 2.09;
  foundations(slots, { card, middle: width / 2, top: (height - block) / 2, pitch: card.width * 1.2, rows: 2 });
  return { shape: "tall", card, slots, panels: bySeat(panels) };
}
