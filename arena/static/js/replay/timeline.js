/** A game as a list of events with what a viewer needs to know about each: its ply, turn, marks and counts. */

import { marksOfTick, playsCard } from "arena/ticks/tick";
import { RecordError } from "arena/replay/table";
import { tableOf } from "arena/replay/tables";
import { isForfeit } from "arena/replay/words";
import { gettext } from "arena/words";

/** Points of a game from which a swing is a moment that matters. */
const GREAT_SWING = 0.1;

/** Marks in the order of their weight: the first of an event gives it its sign; `key` ones are moments. */
export const MARKS = {
  forfeit: { label: gettext("Forfeit"), key: true },
  end: { label: gettext("End of the game"), key: true },
  out: { label: gettext("All cards cleared"), key: true },
  stop: { label: gettext("Stop!"), key: true },
  emptied: { label: gettext("Reserve empty"), key: true },
  completed: { label: gettext("Foundation complete"), key: true },
  missed: { label: gettext("Too late"), key: true },
  late: { label: gettext("Late answer"), key: false },
  idle: { label: gettext("50 ticks without a card played"), key: false },
  turned: { label: gettext("Discard turned over"), key: false },
  loadReserve: { label: gettext("Load on a reserve"), key: true },
  house: { label: gettext("House emptied"), key: false },
  loadDiscard: { label: gettext("Load on a discard"), key: false },
  foundation: { label: gettext("To a foundation"), key: false },
  swing: { label: gettext("Swing"), key: true },
};

function isLoad(event, kind) {
  return event.to?.[0] === kind && Number(event.to.slice(1)) !== event.seat;
}

/** Marks of an event, given the table after it. */
export function marksOf(event, table) {
  if (event.type === "tick") return marksOfTick(event, table);
  const marks = [];
  if (event.type === "end") marks.push(isForfeit(event.result) ? "forfeit" : "end");
  if (event.out !== undefined && event.out !== null) marks.push("out");
  if (event.type === "stop") marks.push("stop");
  if (event.from?.[0] === "r" && !table.pile(event.from).length) marks.push("emptied");
  if (event.completed) marks.push("completed");
  if (event.flip !== undefined && event.flip !== null) marks.push("turned");
  if (isLoad(event, "r")) marks.push("loadReserve");
  if (event.from?.[0] === "t" && !table.pile(event.from).length) marks.push("house");
  if (isLoad(event, "d")) marks.push("loadDiscard");
  if (event.to?.[0] === "f") marks.push("foundation");
  return marks;
}

export class Timeline {
  constructor(record) {
    this.record = record;
    this.head = tableOf(record.start);
    this.start = { ply: 0, clocks: this.#bank(), left: this.#lefts() };
    this.events = [];
    /** For each event: {turn, ply, marks, left, clocks}. */
    this.notes = [];
    /** {seat, first}: the seat to move and the index of the turn's first event; in ticks, those from a card played on. */
    this.turns = [];
    /** What is wrong with the record from some event on, if anything. */
    this.fault = null;
    this.result = record.result ?? null;
    /** The chance of seat 0 after so many events, once that is known. */
    this.win = null;
    this.append(record.events ?? []);
  }

  #bank() {
    const bank = this.record.clock?.bank_ms;
    // On a slower host than the reference, each bot had more CPU time.
    const scaled = Math.round(bank * (this.record.clock_scale ?? 1));
    return bank === undefined ? null : Array(this.head.players).fill(scaled);
  }

  #lefts() {
    return Array.from({ length: this.head.players }, (_, seat) => this.head.left(seat));
  }

  get length() {
    return this.events.length;
  }

  /** The number of the next event a source must bring. */
  get nextNumber() {
    const last = this.events.at(-1);
    return last ? (last.n ?? this.events.length - 1) + 1 : 0;
  }

  /** Adds events in order; those known already are skipped. Returns how many were new. */
  append(events) {
    let added = 0;
    for (const event of events) {
      if (this.fault || (event.n !== undefined && event.n < this.nextNumber)) continue;
      if (this.#add(event)) added += 1;
    }
    return added;
  }

  #add(event) {
    const seat = this.head.turn;
    try {
      this.head.apply(event);
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      const ply = this.notes.at(-1)?.ply ?? 0;
      this.fault = gettext("This record is damaged after ply {ply}: {fault}.", { ply, fault: error.message });
      return false;
    }
    const before = this.notes.at(-1) ?? { turnNumber: undefined, ply: 0, clocks: this.start.clocks, ended: true };
    if (this.#begins(event, before)) this.turns.push({ seat: event.done?.[0]?.seat ?? seat, first: this.events.length });
    const turn = Math.max(0, this.turns.length - 1);
    const ended = event.type === "tick" ? false : event.turn_number !== undefined
      ? before.turnNumber !== undefined && event.turn_number !== before.turnNumber || event.turn !== seat
      : before.ended;
    this.notes.push({
      turn,
      turnNumber: event.turn_number ?? before.turnNumber,
      ended,
      ply: event.ply ?? before.ply + (["move", "tick"].includes(event.type) ? 1 : 0),
      marks: marksOf(event, this.head),
      left: this.#lefts(),
      clocks: event.clocks ?? before.clocks,
    });
    this.events.push(event);
    if (event.type === "end") this.result = event.result;
    return true;
  }

  /** Whether a turn begins with an event; in ticks, where nobody has a turn, a stretch begins with a card played. */
  #begins(event, before) {
    if (event.type === "tick") return !this.turns.length || playsCard(event);
    return before.ended && event.type === "move";
  }

  /** Marks the great swings of who was expected to win (`swings.swingsOf`). */
  swing(swings) {
    for (const note of this.notes) note.marks = note.marks.filter((mark) => mark !== "swing");
    for (const { count, change } of swings) {
      if (Math.abs(change) >= GREAT_SWING) this.notes[count - 1]?.marks.push("swing");
    }
  }

  /** What holds after `count` events. */
  at(count) {
    return count ? this.notes[count - 1] : { ...this.start, turn: 0, marks: [] };
  }

  /** How many events to carry out to stand after a ply: with what followed it, a stop or the end. */
  countAtPly(ply) {
    let low = 0;
    let high = this.notes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.notes[middle].ply <= ply) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The start of the next turn after `count` events, or the end. */
  nextTurn(count) {
    const turn = this.turns.find(({ first }) => first > count);
    return turn ? turn.first : this.length;
  }

  previousTurn(count) {
    const turn = this.turns.findLast(({ first }) => first < count);
    return turn ? turn.first : 0;
  }

  /** The count after the next event that matters; a run of the same mark counts once. */
  nextMoment(count) {
    const key = (index) => this.notes[index].marks.find((mark) => MARKS[mark].key);
    for (let index = count; index < this.length; index += 1) {
      const mark = key(index);
      if (mark && (index === 0 || key(index - 1) !== mark || index < count)) return index + 1;
    }
    return this.length;
  }
}
