/**
 * The table as the person sees it: events are shown one after the other, each card on its way, and can be taken
 * back. What has arrived is in the log at once; what is shown follows.
 */

import { tableOf } from "arena/replay/tables";

const OWN_MS = 180;

export class Board {
  /**
   * @param {import("arena/replay/view").View} view
   * @param {{seat: number, pace: () => number, onShown: (event: object, quiet: boolean) => void, onIdle: () => void}} options
   *   pace: milliseconds between two of the opponent's moves; 0 shows them at once
   */
  constructor(view, options) {
    this.view = view;
    this.options = options;
    this.log = [];
    this.shown = 0;
    this.timer = null;
  }

  /** Lays the table; resolves when its cards can be seen. */
  begin(start) {
    this.table = tableOf(start);
    return this.view.show(this.table);
  }

  get idle() {
    return this.shown === this.log.length;
  }

  /** Takes in a log that agrees with ours up to number `from` and goes on with `events`. */
  take(from, events) {
    const back = from < this.shown;
    while (this.shown > from) {
      this.table.undo();
      this.shown -= 1;
    }
    this.log.length = Math.min(this.log.length, from);
    this.log.push(...events);
    if (back) this.view.render({ duration: OWN_MS });
    this.#run();
  }

  /** Shows at once what waits to be shown. */
  hurry() {
    if (this.idle) return;
    clearTimeout(this.timer);
    this.timer = null;
    while (!this.idle) this.#carryOut(this.shown < this.log.length - 1);
    this.view.render({ duration: OWN_MS });
    this.options.onIdle();
  }

  /** Learns the cards nobody saw, once the game is over. */
  reveal(start) {
    this.table.learnDeal(start);
    this.view.render({ duration: 0 });
  }

  #carryOut(quiet = false) {
    const event = this.log[this.shown];
    this.table.apply(event);
    this.shown += 1;
    this.options.onShown(event, quiet);
    return event;
  }

  #run() {
    if (this.timer) return;
    if (this.idle) {
      this.options.onIdle();
      return;
    }
    if (document.hidden || !this.options.pace()) {
      this.hurry();
      return;
    }
    const own = this.log[this.shown].seat === this.options.seat;
    const run = own && this.log[this.shown + 1]?.seat === this.options.seat;
    const pace = own ? OWN_MS : this.options.pace();
    this.#carryOut();
    this.view.render({ duration: Math.min(pace, 420) });
    // The last move is waited for as well if it is the opponent's: the person sees it before it is their turn.
    this.timer = setTimeout(() => {
      this.timer = null;
      this.#run();
    }, own && !run ? 0 : pace);
  }
}
