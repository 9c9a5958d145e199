/**
 * The state of a table: piles of cards with identity, transformed by recorded events and back again.
 *
 * No rule is known here. An event says what moved from where to where and what became visible, as the engine
 * of its day recorded it; this only carries it out, so an old game replays the same under newer rules.
 */

import { HIDDEN, SUITS, ranksOf } from "arena/replay/cards";
import { formatPosition, parsePosition } from "arena/replay/position";

export class RecordError extends Error {}

export class Table {
  /** @param {string} line the position line the game started from, full or as the public sees it */
  constructor(line) {
    const start = parsePosition(line);
    this.variant = start.variant;
    this.players = start.seats.length;
    /** Whether the seats play at the same time: see `ticks/table`. */
    this.inTicks = false;
    this.hasReserve = start.variant !== "crapo";
    /** The order in which a foundation is built. */
    this.ranks = ranksOf(start.variant);
    this.turn = start.turn;
    this.phase = start.phase;
    this.counters = start.counters;
    this.tally = start.tally;
    /** Cards by identity: {face, pack}; the pack is the seat it was dealt by, as far as that shows. */
    this.cards = [];
    /** Pile name to identities, bottom first. */
    this.piles = new Map();
    /** Identities whose faces everybody has seen at some time. */
    this.seen = new Set();
    this.completed = new Set();
    this.lastMove = null;
    this.history = [];
    this.lay(start);
  }

  /** Lays the cards of a start as its line says. */
  lay(start) {
    const { ranks } = this;
    const perSeat = start.houses.length / this.players;
    start.houses.forEach((cards, index) => this.lie(`t${index + 1}`, cards, Math.floor(index / perSeat), true));
    for (const suit of SUITS) {
      start.foundations[suit].forEach((height, index) => {
        const cards = [...ranks.slice(0, height)].map((rank) => rank + suit);
        this.lie(`f${suit}${index}`, cards, index % this.players, true);
        if (height === ranks.length) this.completed.add(`f${suit}${index}`);
      });
    }
    start.seats.forEach((seat, index) => {
      this.lie(`r${index}`, seat.reserve, index, false);
      this.lie(`d${index}`, seat.discard, index, false);
      this.lie(`h${index}`, seat.hand, index, false);
      for (const name of [`r${index}`, `d${index}`]) this.#see(this.top(name));
    });
    this.lie("x", start.drawn ? [start.drawn] : [], start.turn, true);
  }

  /** Lays a pile of new cards. */
  lie(name, faces, pack, open) {
    const ids = faces.map((face) => {
      this.cards.push({ face, pack });
      const id = this.cards.length - 1;
      if (open && face !== HIDDEN) this.seen.add(id);
      return id;
    });
    this.piles.set(name, ids);
  }

  #see(id) {
    if (id === undefined || this.seen.has(id) || this.cards[id].face === HIDDEN) return false;
    this.seen.add(id);
    return true;
  }

  pile(name) {
    const pile = this.piles.get(name);
    if (!pile) throw new RecordError(`expected a pile of this table, got '${name}'`);
    return pile;
  }

  top(name) {
    return this.pile(name).at(-1);
  }

  /** Cards a seat still has to get rid of, with a drawn one. */
  left(seat) {
    const air = this.turn === seat ? this.pile("x").length : 0;
    return ["r", "h", "d"].reduce((sum, pile) => sum + this.pile(pile + seat).length, air);
  }

  #learn(id, face, change) {
    const card = this.cards[id];
    if (!face) return;
    if (card.face === HIDDEN) {
      change.faces.push([id, HIDDEN]);
      card.face = face;
    } else if (card.face !== face) {
      throw new RecordError(`expected ${card.face} by the deal, got ${face} in the record`);
    }
    if (this.#see(id)) change.seen.push(id);
  }

  /** The moves to point out: those made last. */
  marked() {
    return this.lastMove ? [this.lastMove] : [];
  }

  /** Carries an event out. Throws RecordError, and changes nothing, if it does not fit the table. */
  apply(event) {
    const change = {
      turn: this.turn, phase: this.phase, counters: this.counters, tally: this.tally, lastMove: this.lastMove,
      faces: [], seen: [], flip: null, moved: null, completed: null,
    };
    this.history.push(change);
    try {
      this.#carryOut(event, change);
    } catch (error) {
      this.undo();
      throw error;
    }
  }

  #carryOut(event, change) {
    if (event.flip !== undefined && event.flip !== null) this.#flip(event.flip, change);
    if (event.from && event.to) this.#move(event, change);
    if (event.reveal) {
      const [name, face] = event.reveal;
      if (this.top(name) === undefined) throw new RecordError(`expected a card on ${name} to turn up, got none`);
      this.#learn(this.top(name), face, change);
    }
    if (event.completed) {
      this.completed.add(event.completed);
      change.completed = event.completed;
    }
    this.#count(event);
    if (event.turn !== undefined) this.turn = event.turn;
    if (event.phase) this.phase = event.phase;
    if (event.counters) this.counters = event.counters;
    if (event.type === "move" || event.type === "stop") this.lastMove = event;
  }

  #flip(seat, change) {
    const hand = this.pile(`h${seat}`);
    const discard = this.pile(`d${seat}`);
    if (hand.length) throw new RecordError(`expected an empty hand to turn the discard over to, got ${hand.length} cards`);
    hand.push(...discard.splice(0).reverse());
    change.flip = seat;
  }

  #move(event, change) {
    const from = this.pile(event.from);
    const to = this.pile(event.to);
    const id = from.at(-1);
    if (id === undefined) throw new RecordError(`expected a card on ${event.from} to move, got none`);
    this.#learn(id, event.card, change);
    to.push(from.pop());
    change.moved = [event.from, event.to];
  }

  #count(event) {
    const tally = this.tally;
    const next = { completed: tally.completed, emptied: tally.emptied, out: tally.out };
    if (event.completed) {
      next.completed = tally.completed.map((count, seat) => count + (seat === event.seat ? 1 : 0));
    }
    if (this.hasReserve && event.from?.[0] === "r") {
      const seat = Number(event.from.slice(1));
      if (!this.pile(event.from).length && !tally.emptied.includes(seat)) next.emptied = [...tally.emptied, seat];
    }
    if (event.out !== undefined && event.out !== null && !tally.out.includes(event.out)) {
      next.out = [...tally.out, event.out];
    }
    this.tally = next;
  }

  /** Takes the last event back. */
  undo() {
    const change = this.history.pop();
    if (!change) throw new RecordError("expected an event to take back, got the start of the game");
    if (change.moved) this.pile(change.moved[0]).push(this.pile(change.moved[1]).pop());
    if (change.flip !== null) {
      this.pile(`d${change.flip}`).push(...this.pile(`h${change.flip}`).splice(0).reverse());
    }
    if (change.completed) this.completed.delete(change.completed);
    for (const id of change.seen) this.seen.delete(id);
    for (const [id, face] of change.faces) this.cards[id].face = face;
    for (const key of ["turn", "phase", "counters", "tally", "lastMove"]) this[key] = change[key];
  }

  /**
   * Learns the faces of a full deal after having followed it as the public saw it. Identities are dealt in
   * the order of the line, so both lines name the same cards.
   */
  learnDeal(line) {
    const full = new /** @type {typeof Table} */ (this.constructor)(line);
    full.cards.forEach(({ face }, id) => {
      if (this.cards[id].face === HIDDEN) this.cards[id].face = face;
    });
    for (const change of this.history) change.faces = [];
  }

  /** The faces of a pile; with `known` cards never seen by everybody are ??. */
  facesOf(name, known) {
    return this.pile(name).map((id) => (known && !this.seen.has(id) ? HIDDEN : this.cards[id].face));
  }

  /** The position line of now; with `known` cards never seen by everybody are written ??. */
  line({ known = false } = {}) {
    const cards = (name) => this.facesOf(name, known);
    const houses = [...this.piles.keys()].filter((name) => name[0] === "t");
    return formatPosition({
      variant: this.variant,
      turn: this.turn,
      phase: this.phase,
      drawn: cards("x")[0] ?? null,
      houses: houses.map(cards),
      foundations: Object.fromEntries(
        [...SUITS].map((suit) => {
          const names = [...this.piles.keys()].filter((name) => name.startsWith(`f${suit}`));
          return [suit, names.map((name) => this.pile(name).length)];
        }),
      ),
      seats: Array.from({ length: this.players }, (_, seat) => ({
        reserve: cards(`r${seat}`), hand: cards(`h${seat}`), discard: cards(`d${seat}`),
      })),
      counters: this.counters,
      tally: this.tally,
    });
  }
}
