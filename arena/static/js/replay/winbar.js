/** The bar between two seats: how likely each is to win, or how many cards each has left while nobody knows. */

import { mark, write } from "arena/replay/writing";
import { gettext } from "arena/words";

export class WinBar {
  /** @param {HTMLElement} bar with two [b] and an [i] that is as wide as seat 0 is well off */
  constructor(bar, timeline, names) {
    this.bar = bar;
    this.timeline = timeline;
    this.names = names;
    this.fill = bar.querySelector("i");
    this.figures = [...bar.querySelectorAll("b")];
  }

  show(count) {
    const { win } = this.timeline;
    const known = win && count < win.length;
    this.#tell(known ? win[count] : null, this.timeline.at(count).left);
  }

  /**
   * Follows a table that goes on differently from the game: by its cards, or by who won.
   * @param {number[]} left cards of each seat
   * @param {boolean} finished
   */
  try(left, finished) {
    this.#tell(finished ? (left[0] ? (left[1] ? 0.5 : 0) : 1) : null, left);
  }

  #tell(win, left) {
    const known = win !== null;
    const share = known ? win : (left[1] + 1) / (left[0] + left[1] + 2);
    const figures = known ? [Math.round(100 * share), 100 - Math.round(100 * share)].map((one) => `${one} %`) : left.map((cards) => gettext("{count} left", { count: cards }));
    figures.forEach((words, seat) => write(this.figures[seat], words));
    const said = figures.map((words, seat) => `${this.names[seat]} ${words}`).join(", ");
    mark(this.bar, "aria-label", known ? gettext("Chance to win: {chances}", { chances: said }) : gettext("Cards: {counts}", { counts: said }));
    mark(this.bar, "title", known ? gettext("Chance to win") : gettext("Cards left. The chance to win is known once the game is over."));
    this.fill.style.transform = `scaleX(${Math.max(0, Math.min(1, share)).toFixed(3)})`;
  }
}
