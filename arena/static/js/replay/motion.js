/**
 * One card's element and its way over the felt. Where a card lies, how high, and whether it is drawn at all
 * stands in its transform alone, and its way is an animation of that: the compositor carries it out, without
 * a style, a layout or a drawing by the page, and nothing has to be done when it arrives.
 */

const EASING = "cubic-bezier(.3,.1,.25,1)";
/** The share of the time after which this curve has half its way behind it. */
const HALF = 0.313;
/** What flies is above all that lies. */
const FLIGHT = 1000;
const EDGE = "scale3d(.02,1,1)";
const WHOLE = "scale3d(1,1,1)";

const at = ({ x, y }, z, scale) => `translate3d(${x}px,${y}px,${z}px) ${scale}`;

export class Piece {
  /** @param {HTMLElement} node an element that lies in the layer of cards */
  constructor(node) {
    this.node = node;
    this.place = null;
    this.style = null;
    this.flight = null;
    this.hidden = null;
  }

  /** Where it is drawn at this moment, on its way or at its place. */
  get now() {
    const progress = this.flight?.animation.effect.getComputedTiming().progress ?? null;
    if (progress === null) return this.place;
    const { from, to } = this.flight;
    return { ...this.place, x: from.x + (to.x - from.x) * progress, y: from.y + (to.y - from.y) * progress };
  }

  get flies() {
    return this.flight?.animation.playState === "running";
  }

  /** Ends its way: what is drawn now is where it lies. */
  stop() {
    this.flight?.animation.cancel();
    this.flight = null;
  }

  /** Is drawn no more. */
  leave() {
    this.stop();
    if (this.place) this.lie({ ...this.place, deep: true });
  }

  /**
   * Lies at a place from now on: {x, y, z, pile, deep}; what is deep is not drawn.
   * @param {number} time milliseconds that the way there takes
   * @param {boolean} turns whether it shows another face after half of it
   */
  lie(place, time = 0, turns = false) {
    const before = this.place;
    const from = before && time ? this.now : null;
    const moved = before && (before.x !== place.x || before.y !== place.y);
    this.place = place;
    // A way that has not changed its end goes on.
    const goes = time && !moved && !turns;
    if (!goes) this.stop();
    if (from && (moved || turns) && !(before.deep && place.deep)) {
      this.#fly(from, place, { time, turns, z: before.pile === place.pile ? place.z : FLIGHT + place.z });
    }
    this.land();
  }

  /** What lies deep is not drawn, once it has arrived; then it need not even be told where it lies. */
  land() {
    const hidden = this.place.deep && !this.flies;
    if (!hidden) this.#rest(at(this.place, this.place.z, WHOLE));
    if (this.hidden !== hidden) this.node.style.visibility = (this.hidden = hidden) ? "hidden" : "visible";
  }

  /** Is held at a point above all others; it still belongs to its place. */
  hold(point, z) {
    this.stop();
    this.#rest(at(point, z, WHOLE));
  }

  #rest(style) {
    if (this.style !== style) this.node.style.transform = this.style = style;
  }

  #fly(from, to, { time, turns, z }) {
    const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    const steps = [at(from, z, WHOLE), ...(turns ? [at(middle, z, EDGE)] : []), at(to, z, WHOLE)];
    const animation = this.node.animate({ transform: steps }, { duration: time, easing: EASING });
    this.flight = { from, to, z, animation };
  }
}

export class Card extends Piece {
  constructor(node, card) {
    super(node);
    this.card = card;
    /** The face it was laid with, if any. */
    this.face = null;
    /** What it shows, and what its element was given last: what is not drawn need not have it. */
    this.symbol = null;
    this.worn = null;
    this.turning = null;
  }

  /**
   * Shows a symbol of the deck, after half of the time.
   * @param {(symbol: string) => string} position where the sheet lies for it
   */
  show(symbol, position, time = 0) {
    this.symbol = symbol;
    if (this.worn === symbol || (this.place.deep && !this.flies)) return;
    clearTimeout(this.turning);
    this.worn = symbol;
    if (time) this.turning = setTimeout(() => this.dress(position), time * HALF);
    else this.dress(position);
  }

  dress(position) {
    this.node.style.backgroundPosition = position(this.worn);
  }
}

/** The light round the card that moved last; it travels with it. */
export class Glow extends Piece {
  follow(card, time) {
    const { flies, place } = card;
    this.stop();
    this.lie({ ...place, z: place.z - 0.5 });
    if (!time || !flies) return;
    const { from, to, z } = card.flight;
    const steps = [at(from, z - 0.5, WHOLE), at(to, z - 0.5, WHOLE)];
    const animation = this.node.animate({ transform: steps, opacity: [0, 1] }, { duration: time, easing: EASING });
    this.flight = { from, to, z, animation };
  }
}
