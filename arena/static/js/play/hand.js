/**
 * The person's hand over the felt: a card, or a run of a house's cards, is dragged by mouse or finger, or tapped
 * and then its target; twice tapped it goes to a foundation. What comes of it is for the page to decide.
 */

import { cardAt, pileAt, pointIn } from "arena/play/geometry";

const SLOP = 7;
const DOUBLE_MS = 350;
/** How high a card is held: above all that lies or flies. */
const HELD = 2000;

export class Hand {
  /**
   * @param {import("arena/replay/view").View} view
   * @param {{mayLift: (pile: string) => boolean, onLift: (pile: string, cards: number) => string[],
   *   onDrop: (from: string, to: string|null, cards: number) => void, onTap: (pile: string|null, cards: number) => void,
   *   onDouble: (pile: string) => boolean}} options
   *   onLift returns the piles the cards may be dropped on
   */
  constructor(view, options) {
    this.view = view;
    this.options = options;
    this.drag = null;
    this.last = { pile: null, at: 0 };
    const { felt } = view;
    felt.addEventListener("pointerdown", (event) => this.#down(event));
    felt.addEventListener("pointermove", (event) => this.#move(event));
    felt.addEventListener("pointerup", (event) => this.#up(event));
    felt.addEventListener("pointercancel", () => this.cancel());
    // A pressed finger would else call the menu of the picture below it.
    felt.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  #down(event) {
    if (this.drag || event.button !== 0 || !this.view.table || event.target.closest("a, button")) return;
    const at = pointIn(this.view, event);
    const card = cardAt(this.view, at);
    const pile = card?.pile ?? pileAt(this.view, at);
    const ids = pile ? this.view.table.pile(pile) : [];
    // Only a house has a run: elsewhere the top alone moves, wherever it was touched.
    const index = card && pile[0] === "t" ? ids.indexOf(card.id) : ids.length - 1;
    this.drag = { id: event.pointerId, at, pile, ids: ids.slice(Math.max(0, index)), lifted: false, targets: [], by: [0, 0] };
    this.view.felt.setPointerCapture(event.pointerId);
  }

  #move(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id) return;
    const at = pointIn(this.view, event);
    const [dx, dy] = [at.x - drag.at.x, at.y - drag.at.y];
    if (!drag.lifted) {
      if (Math.hypot(dx, dy) < SLOP || !drag.ids.length || !this.options.mayLift(drag.pile)) return;
      drag.lifted = true;
      drag.targets = this.options.onLift(drag.pile, drag.ids.length);
      this.view.felt.classList.add("is-dragging");
    }
    drag.ids.forEach((id, index) => {
      const card = this.view.nodes[id];
      card.hold({ x: card.place.x + dx, y: card.place.y + dy }, HELD + index);
    });
    drag.by = [dx, dy];
  }

  #up(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id) return;
    this.drag = null;
    this.view.felt.classList.remove("is-dragging");
    if (!drag.lifted) {
      this.#tap(drag);
      return;
    }
    this.#leave(drag);
    const target = pileAt(this.view, pointIn(this.view, event), drag.targets);
    this.options.onDrop(drag.pile, target === drag.pile ? null : target, drag.ids.length);
  }

  #tap({ pile, ids }) {
    const now = performance.now();
    const twice = pile !== null && this.last.pile === pile && now - this.last.at < DOUBLE_MS;
    this.last = { pile, at: twice ? 0 : now };
    if (twice && this.options.onDouble(pile)) return;
    this.options.onTap(pile, Math.max(1, ids.length));
  }

  /** The cards stay where they were dropped, so that their next way begins there. */
  #leave({ ids, by }) {
    const [dx, dy] = by;
    for (const id of ids) {
      const card = this.view.nodes[id];
      card.lie({ ...card.place, x: card.place.x + dx, y: card.place.y + dy });
    }
  }

  /** Puts down what is held: the table changed under it. */
  cancel() {
    const { drag } = this;
    this.drag = null;
    this.view.felt.classList.remove("is-dragging");
    if (!drag?.lifted) return;
    this.#leave(drag);
    this.view.render({ duration: 150 });
  }
}
