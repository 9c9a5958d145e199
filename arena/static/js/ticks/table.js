/** The table of the game in ticks: a tick is carried out as the moves of cards it consists of, and taken back whole. */

import { SUITS } from "arena/replay/cards";
import { Table } from "arena/replay/table";
import { formatTicks } from "arena/ticks/position";
import { missesOf, stepsOf } from "arena/ticks/tick";
import { gettext } from "arena/words";

/** What a tick changes besides piles. */
const KEPT = ["tick", "stall", "stopper", "turn", "lastTick", "steps", "lastMove", "travels", "misses"];

export class TickTable extends Table {
  constructor(line) {
    super(line);
    this.inTicks = true;
    /** By identity the order, 0 or 1, in which the cards of the last tick travelled. */
    this.travels = new Map();
    /** Entries of the last tick whose cards went back. */
    this.misses = [];
    this.lastTick = null;
    /** Its moves of cards that the seats chose. */
    this.steps = [];
    this.ticks = [];
  }

  lay(start) {
    super.lay(start);
    this.tick = start.tick;
    this.stall = start.stall;
    this.stopper = start.stopper;
    start.seats.forEach(({ slots }, seat) => {
      slots.forEach((cards, index) => this.lie(`s${seat}.${index + 1}`, cards, seat, true));
    });
  }

  left(seat) {
    return [1, 2, 3, 4].reduce((sum, slot) => sum + this.pile(`s${seat}.${slot}`).length, super.left(seat));
  }

  marked() {
    return this.steps;
  }

  /** Carries a tick, or the end of the game, out. Throws RecordError, and changes nothing, if it does not fit. */
  apply(event) {
    const before = Object.fromEntries(KEPT.map((key) => [key, this[key]]));
    const steps = event.type === "tick" ? stepsOf(event) : [];
    let done = 0;
    try {
      for (const step of steps) {
        super.apply(step);
        done += 1;
      }
    } catch (error) {
      this.#back(done, before);
      throw error;
    }
    this.ticks.push([done, before]);
    if (event.type === "tick") this.#after(event, steps);
  }

  #after(event, steps) {
    this.tick = event.tick + 1;
    this.turn = this.tick % 2;
    this.stall = event.stall;
    this.stopper = event.stopper ?? null;
    this.lastTick = event;
    this.travels = new Map(steps.map((step) => [this.top(step.to), step.order]));
    this.misses = missesOf(event);
    this.steps = steps.filter(({ move }) => move !== "refill");
    this.lastMove = this.stopper === null ? null : { type: "stop", seat: this.stopper, call: gettext("Stop, crapette!") };
  }

  #back(steps, before) {
    for (let step = 0; step < steps; step += 1) super.undo();
    Object.assign(this, before);
  }

  undo() {
    // Where nothing is left to take back the table below says so.
    const [steps, before] = this.ticks.pop() ?? [1, {}];
    this.#back(steps, before);
    this.travels = new Map();
  }

  line({ known = false } = {}) {
    const cards = (name) => this.facesOf(name, known);
    return formatTicks({
      variant: this.variant,
      tick: this.tick,
      foundations: Object.fromEntries([...SUITS].map((suit) => [suit, [0, 1].map((index) => this.pile(`f${suit}${index}`).length)])),
      seats: [0, 1].map((seat) => ({
        reserve: cards(`r${seat}`),
        slots: [1, 2, 3, 4].map((slot) => cards(`s${seat}.${slot}`)),
        hand: cards(`h${seat}`),
        discard: cards(`d${seat}`),
      })),
      stall: this.stall,
      stopper: this.stopper,
      tally: this.tally,
    });
  }
}
