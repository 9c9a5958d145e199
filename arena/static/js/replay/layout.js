/**
 * Where things lie, for a felt of a given size: pure geometry, no drawing.
 *
 * `table`: as the physical game lies: foundations in the middle, houses fanned sideways outwards on both
 * sides, a seat above and one below. `wide`: the seats at the two ends, where that makes the cards larger. `own`: for who
 * plays, foundations and houses in two rows, which leaves room for larger cards between the seats. `tall`: for portrait, the houses of two players in two rows beside the foundations, of more in columns. Pages never ask for the
 * device to be turned.
 */

import { SUITS } from "arena/replay/cards";

const RATIO = 5 / 7;

/** Cards must be larger by this factor for the seats to leave their places above and below. */
const WORTH_IT = 1.08;

/**
 * What a layout is for; `bottom` is the seat drawn below, or at the left where seats are at the sides: never there if a
 * person plays it (`own`); `bare`: no panels are shown.
 * @typedef {{width: number, height: number, players: number, reserve: boolean, houses: number, bottom: number, own?: boolean, bare?: boolean}} Felt
 */

/**
 * @param {Felt} felt
 * @returns {{shape: string, card: {width: number, height: number}, slots: Map<string, object>, panels: object[]}}
 *   slots: {x, y, fan: null|"left"|"right"|"down", room} by pile name (`x0` … the drawn card of a seat);
 *   panels: {seat, x, y, width, height, align} in seat order
 */
export function layoutOf(felt) {
  if (felt.width < felt.height * 0.98) return felt.players === 2 ? tallForTwo(felt) : tallLayout(felt);
  const table = tableLayout(felt);
  if (felt.players > 2) return table;
  // Who plays has the own piles before them, at every width.
  const wide = felt.own ? ownLayout(felt) : wideLayout(felt);
  return wide.card.width > table.card.width * WORTH_IT ? wide : table;
}

/** The seats from the one drawn below on. */
export function seatsFrom(bottom, players) {
  return Array.from({ length: players }, (_, index) => (bottom + index) % players);
}

/** Houses and foundations round the middle, between the given edges. */
function middle(felt, card, { left, right, top, gap }) {
  const slots = new Map();
  const { players, houses, bottom } = felt;
  const perSuit = players;
  const turned = bottom >= Math.ceil(players / 2);
  const pitch = card.height + gap;
  const columnGap = card.width * 0.1;
  const block = perSuit * card.width + (perSuit - 1) * columnGap;
  const blockLeft = (left + right - block) / 2;
  [...SUITS].forEach((suit, row) => {
    for (let index = 0; index < perSuit; index += 1) {
      const drawnRow = turned ? 3 - row : row;
      const column = turned ? perSuit - 1 - index : index;
      slots.set(`f${suit}${index}`, {
        x: blockLeft + column * (card.width + columnGap), y: top + drawnRow * pitch, fan: null, room: 0,
      });
    }
  });
  const aside = card.width * 0.32;
  const half = houses / 2;
  const lanes = Math.ceil(half / 4);
  const rows = Math.ceil(half / lanes);
  const rowPitch = rows > 1 ? (4 * pitch - gap - card.height) / (rows - 1) : 0;
  const sideWidth = blockLeft - aside - left;
  const laneGap = card.width * 0.14;
  const laneWidth = (sideWidth - (lanes - 1) * laneGap) / lanes;
  for (let index = 0; index < houses; index += 1) {
    const place = turned ? houses - 1 - index : index;
    const onRight = place >= half;
    const within = place % half;
    const lane = Math.floor(within / rows);
    const inner = lane * (laneWidth + laneGap);
    const x = onRight
      ? blockLeft + block + aside + inner
      : blockLeft - aside - inner - card.width;
    slots.set(`t${index + 1}`, {
      x, y: top + (within % rows) * rowPitch, fan: onRight ? "right" : "left", room: laneWidth,
    });
  }
  return slots;
}

function tableLayout(felt) {
  const { width, height, players, reserve } = felt;
  const pad = Math.max(6, Math.min(width, height) * 0.016);
  // Two rows of seats, four of houses, three gaps between these and two wider ones round them.
  const byHeight = ((height - 2 * pad) / (6 + 3 * 0.07 + 2 * 0.2)) * RATIO;
  const byWidth = (width - 2 * pad) / (players === 2 ? 9.6 : players === 3 ? 13 : 15);
  const card = sized(Math.min(byHeight, byWidth));
  const gap = card.height * 0.07;
  const wide = Math.max(card.height * 0.2, (height - 2 * pad - 6 * card.height - 3 * gap) / 2);
  const spare = Math.min(wide, card.height * 0.45);
  const used = 6 * card.height + 3 * gap + 2 * spare;
  const top = pad + Math.max(0, (height - 2 * pad - used) / 2);
  const slots = middle(felt, card, { left: pad, right: width - pad, top: top + card.height + spare, gap });
  const panels = [];
  const order = seatsFrom(felt.bottom, players);
  const rowOf = { 2: ["b", "t"], 3: ["b", "tl", "tr"], 4: ["bl", "tl", "tr", "br"] }[players];
  order.forEach((seat, index) => {
    const spot = rowOf[index];
    const left = spot.endsWith("r") ? width / 2 + pad / 2 : pad;
    const right = spot.endsWith("l") ? width / 2 - pad / 2 : width - pad;
    const y = spot[0] === "b" ? top + used - card.height : top;
    const row = { seat, left, right, y, card, reserve, turned: spot[0] === "t", pad, alone: spot.length === 1 };
    panels.push(withRoom(seatRow(slots, row), row, top - pad));
  });
  return { shape: "table", card, slots, panels: bySeat(panels) };
}

const NARROW = 150;
const PANEL = 42;

/** A panel with too little room beside its piles goes beyond them, if `spare` pixels there are enough. */
function withRoom(panel, { left, right, y, card, turned, pad }, spare) {
  if (panel.width >= NARROW || spare < PANEL + card.height * 0.2) return panel;
  const beyond = turned ? y - PANEL - card.height * 0.08 : y + card.height * 1.2;
  return { ...panel, y: beyond, width: right - left - pad, height: PANEL };
}

/** A card of about this width, in whole pixels. */
export function sized(width) {
  const whole = Math.max(14, Math.floor(width));
  return { width: whole, height: Math.round(whole / RATIO) };
}

export function bySeat(panels) {
  return panels.sort((one, other) => one.seat - other.seat);
}

/** A seat's piles in a row (reserve, discard, hand, seen from its own side) and its panel beside them. */
function seatRow(slots, { seat, left, right, y, card, reserve, turned, pad, alone }) {
  const pitch = card.width * 1.22;
  const names = [...(reserve ? [`r${seat}`] : []), `d${seat}`, `h${seat}`, `x${seat}`];
  const width = pitch * (names.length - 1) + card.width;
  // Centred without the drawn card where there is room, else at the far end from the panel.
  const centred = (left + right) / 2 - (pitch * (names.length - 2) + card.width) / 2;
  const whole = right - left > card.width * 9 && (alone || centred - pitch - left - pad * 1.5 >= NARROW);
  const start = whole ? centred : right - width;
  names.forEach((name, index) => {
    const place = turned && whole ? names.length - 2 - index : index;
    slots.set(name, { x: start + place * pitch, y, fan: null, room: 0 });
  });
  const from = whole ? start - pitch : start;
  return { seat, x: left, y, width: Math.max(60, from - left - pad * 1.5), height: card.height, align: "left" };
}

/** Widths of a card: two seats, the foundations, and houses that fan as far as four cards do. */
const WIDE = 2 * 2.46 + 2.1 + 2 * (0.32 + 2.26);

/** For two players, with the seats at the sides. */
function wideLayout(felt) {
  const { width, height, players, reserve } = felt;
  const pad = Math.max(6, height * 0.012);
  const byHeight = ((height - 2 * pad) / (4 + 3 * 0.05)) * RATIO;
  const card = sized(Math.min(byHeight, (width - 2 * pad) / WIDE));
  const gap = Math.min(card.height * 0.09, (height - 2 * pad - 4 * card.height) / 3);
  const top = (height - 4 * card.height - 3 * gap) / 2;
  const column = card.width * 2.16;
  const slots = middle(felt, card, {
    left: pad + column + card.width * 0.3, right: width - pad - column - card.width * 0.3, top, gap,
  });
  const panels = seatsFrom(felt.bottom, players).map((seat, index) => {
    const x = index === 0 ? pad : width - pad - column;
    const pitchX = column - card.width;
    const low = height - top - card.height;
    const high = low - card.height - gap;
    slots.set(`h${seat}`, { x, y: low, fan: null, room: 0 });
    slots.set(`x${seat}`, { x: x + pitchX, y: low, fan: null, room: 0 });
    slots.set(`d${seat}`, { x: x + pitchX, y: high, fan: null, room: 0 });
    if (reserve) slots.set(`r${seat}`, { x, y: high, fan: null, room: 0 });
    return { seat, x, y: top, width: column, height: high - top - gap, align: "left" };
  });
  return { shape: "wide", card, slots, panels: bySeat(panels) };
}

/** Widths of a card: four foundations, and on each side two houses that fan by two thirds of one. */
const FAN = 1.66;
const OWN = 4 + 3 * 0.08 + 2 * 0.26 + 4 * FAN + 2 * 0.12;

/** For the person who plays: two rows of houses and foundations between the seats. */
function ownLayout(felt) {
  const { width, height, reserve, houses, bottom } = felt;
  const pad = Math.max(6, Math.min(width, height) * 0.012);
  const byHeight = ((height - 2 * pad) / (4 + 0.1 + 2 * 0.14)) * RATIO;
  const card = sized(Math.min(byHeight, (width - 2 * pad) / OWN));
  const gap = card.height * 0.1;
  const spare = Math.min(card.height * 0.4, (height - 2 * pad - 4 * card.height - gap) / 2);
  const top = (height - 4 * card.height - gap - 2 * spare) / 2;
  const rows = [0, 1].map((row) => top + card.height + spare + row * (card.height + gap));
  const turned = bottom === 1;
  const slots = new Map();
  const pitch = card.width * 1.08;
  const block = 3 * pitch + card.width;
  const left = (width - block) / 2;
  [...SUITS].forEach((suit, order) => {
    for (const index of [0, 1]) {
      const row = turned ? 1 - index : index;
      slots.set(`f${suit}${index}`, { x: left + (turned ? 3 - order : order) * pitch, y: rows[row], fan: null, room: 0 });
    }
  });
  const [aside, lane] = [card.width * 0.26, card.width * 0.12];
  // What is left of the width is for the fans.
  const room = (left - pad - aside - lane) / 2;
  for (let index = 0; index < houses; index += 1) {
    const place = turned ? houses - 1 - index : index;
    const onRight = place >= houses / 2;
    const within = place % (houses / 2);
    const inner = (onRight ? within % 2 : 1 - (within % 2)) * (room + lane);
    slots.set(`t${index + 1}`, {
      x: onRight ? left + block + aside + inner : left - aside - inner - card.width,
      y: rows[Math.floor(within / 2)], fan: onRight ? "right" : "left", room,
    });
  }
  const panels = seatsFrom(bottom, 2).map((seat, index) => {
    const row = { seat, left: pad, right: width - pad, y: index ? top : height - top - card.height, card, reserve };
    return seatRow(slots, { ...row, turned: index === 1, pad, alone: true });
  });
  return { shape: "own", card, slots, panels: bySeat(panels) };
}

/** Two columns of foundations in the middle, beside them the houses in two rows, fanned downwards. */
function tallForTwo(felt) {
  const { width, height, reserve, houses, bottom } = felt;
  const pad = Math.max(2, width * 0.008);
  const byWidth = (width - 2 * pad) / (6 + 3 * 0.07 + 2 * 0.22);
  const byHeight = ((height - 2 * pad) / (6 + 3 * 0.05 + 2 * 0.22)) * RATIO;
  const card = sized(Math.min(byWidth, byHeight));
  const slots = new Map();
  const panels = seatsFrom(bottom, 2).map((seat, index) =>
    tallSeat(slots, { seat, left: pad, right: width - pad, y: index ? pad : height - pad - card.height, card, reserve }));
  // Between a seat and the houses are the counts of its piles and the houses' numbers.
  const top = pad + card.height * 1.22;
  const room = height - 2 * top;
  const turned = bottom === 1;
  const gap = Math.min(card.width * 0.4, (width - 2 * pad - 6 * card.width) / 5.4);
  const aside = gap * 1.2;
  const block = 2 * card.width + gap;
  const left = (width - block) / 2;
  const pitch = (room - card.height) / 3;
  [...SUITS].forEach((suit, row) => {
    for (const index of [0, 1]) {
      const column = turned ? 1 - index : index;
      slots.set(`f${suit}${index}`, {
        x: left + column * (card.width + gap), y: top + (turned ? 3 - row : row) * pitch, fan: null, room: 0,
      });
    }
  });
  const high = (room - card.height * 0.08) / 2;
  for (let index = 0; index < houses; index += 1) {
    const place = turned ? houses - 1 - index : index;
    const [within, onRight] = [place % 4, place >= 4];
    const column = within % 2;
    const x = onRight ? left + block + aside + column * (card.width + gap) : left - aside - card.width - (1 - column) * (card.width + gap);
    slots.set(`t${index + 1}`, { x, y: top + Math.floor(within / 2) * (high + card.height * 0.08), fan: "down", room: high });
  }
  return { shape: "tall", card, slots, panels: bySeat(panels) };
}

/** For three or four players: foundations in rows, and houses in columns below them. */
function tallLayout(felt) {
  const { width, height, players, reserve, houses } = felt;
  const pad = Math.max(5, width * 0.012);
  const rows = 2;
  const columns = houses / rows;
  const seatRows = 2;
  const byWidth = (width - 2 * pad) / (columns * 1.09 + 0.25);
  const lines = 2 + seatRows + rows + (rows * 1.1 + rows * 0.75);
  const byHeight = ((height - 2 * pad) / (lines + 0.6)) * RATIO;
  const card = sized(Math.min(byWidth, byHeight));
  const slots = new Map();
  const spread = (count) => {
    const pitch = Math.min(card.width * 1.35, (width - 2 * pad - card.width - card.width * 0.25) / (count - 1));
    const start = (width - (pitch * (count - 1) + card.width + card.width * 0.25)) / 2;
    return (index) => start + index * pitch + (index >= count / 2 ? card.width * 0.25 : 0);
  };
  const gap = card.height * 0.2;
  const order = seatsFrom(felt.bottom, players);
  const panels = [];
  const halfSeats = 2;
  const below = players === 4 ? [order[0], order[3]] : [order[0]];
  const above = players === 4 ? [order[1], order[2]] : order.slice(1);
  const band = (seats, y) => {
    const part = (width - 2 * pad) / Math.max(1, seats.length === 1 ? 1 : halfSeats);
    seats.forEach((seat, index) => {
      const left = pad + index * part;
      panels.push(tallSeat(slots, { seat, left, right: left + part - (seats.length > 1 ? pad : 0), y, card, reserve }));
    });
  };
  const bandHeight = card.height * 1.75;
  band(above, pad);
  band(below, height - pad - bandHeight);
  const foundationTop = pad + bandHeight + gap;
  const total = 4 * players;
  const perRow = total / rows;
  const foundationAt = spread(perRow);
  [...SUITS].forEach((suit, row) => {
    for (let index = 0; index < players; index += 1) {
      const place = row * players + index;
      const line = Math.floor(place / perRow);
      slots.set(`f${suit}${index}`, {
        x: foundationAt(place % perRow), y: foundationTop + line * (card.height + gap * 0.4), fan: null, room: 0,
      });
    }
  });
  const houseTop = foundationTop + rows * card.height + (rows - 1) * gap * 0.4 + gap;
  const houseRoom = (height - pad - bandHeight - gap - houseTop - (rows - 1) * gap * 0.6) / rows;
  const houseAt = spread(columns);
  for (let index = 0; index < houses; index += 1) {
    slots.set(`t${index + 1}`, {
      x: houseAt(index % columns),
      y: houseTop + Math.floor(index / columns) * (houseRoom + gap * 0.6),
      fan: "down", room: houseRoom,
    });
  }
  return { shape: "tall", card, slots, panels: bySeat(panels) };
}

function tallSeat(slots, { seat, left, right, y, card, reserve }) {
  const names = [...(reserve ? [`r${seat}`] : []), `d${seat}`, `h${seat}`, `x${seat}`];
  const narrow = right - left < card.width * 8 && right - left < 260;
  const pitch = card.width * 1.13;
  const width = pitch * (names.length - 1) + card.width;
  const start = narrow ? left : right - width;
  const top = narrow ? y + card.height * 0.75 : y;
  names.forEach((name, index) => slots.set(name, { x: start + index * pitch, y: top, fan: null, room: 0 }));
  return narrow
    ? { seat, x: left, y, width: right - left, height: card.height * 0.7, align: "left" }
    : { seat, x: left, y, width: start - left - 8, height: card.height, align: "left" };
}

/** How far the cards of a fan lie apart: as far as is good to read, closer when there is little room. */
export function fanStep(slot, card, count) {
  if (!slot.fan || count < 2) return 0;
  const along = slot.fan === "down" ? card.height : card.width;
  const ideal = slot.fan === "down" ? card.height * 0.46 : card.width * 0.42;
  return Math.min(ideal, Math.max(2, (slot.room - along) / (count - 1)));
}
