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

const between = (from, to, share) => ({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share });
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
    const { from, to, returns } = this.flight;
    const share = returns ? 1 - Math.abs(1 - 2 * progress) : progress;
    return { ...this.place, ...between(from, to, share) };
  }

  get flies() {
    return this.flight?.animation.playState === "running";
  }

  /** Ends its way: what is drawn now is where it lies. */
  stop() {
    this.flight?.animation.cancel();
    this.flight = null;
  }

  /** Stops being drawn. */
  leave() {
    this.stop();
    if (this.place) this.lie({ ...this.place, deep: true });
  }

  /**
   * Lies at a place from now on: {x, y, z, pile, deep}; what is deep is not drawn.
   * @param {{x: number, y: number, z: number, pile?: string, deep?: boolean}} place
   * @param {{time?: number, delay?: number, turns?: boolean}} options
   *   time: milliseconds that the way there takes, after a delay; turns: whether it shows another face after half of it
   */
  lie(place, { time = 0, delay = 0, turns = false } = {}) {
    const before = this.place;
    const from = before && time ? this.now : null;
    const moved = before && (before.x !== place.x || before.y !== place.y);
    this.place = place;
    // A way that has not changed its end goes on.
    const goes = time && !moved && !turns;
    if (!goes) this.stop();
    if (from && (moved || turns) && !(before.deep && place.deep)) {
      this.#fly(from, place, { time, delay, turns, z: before.pile === place.pile ? place.z : FLIGHT + place.z });
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

  #fly(from, to, { time, delay, turns, z }) {
    const steps = [at(from, z, WHOLE), ...(turns ? [at(between(from, to, 0.5), z, EDGE)] : []), at(to, z, WHOLE)];
    this.go({ from, to, z, time, delay }, { transform: steps });
  }

  /** Goes a share of the way to a point and comes back; it lies where it lay all the while. */
  visit(point, share, { time, delay = 0 }) {
    const from = this.now;
    this.stop();
    const [to, z] = [between(from, point, share), FLIGHT + this.place.z];
    const steps = [at(from, z, WHOLE), at(to, z, WHOLE), at(this.place, z, WHOLE)];
    this.go({ from, to, z, time, delay, returns: true }, { transform: steps }, "ease-in-out");
  }

  /** Lets the compositor carry a way out. */
  go(flight, frames, easing = EASING) {
    const { time, delay } = flight;
    const animation = this.node.animate(frames, { duration: time, delay, easing, fill: "backwards" });
    this.flight = { ...flight, animation };
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
   * Shows a symbol of the deck, after a delay and half of the time.
   * @param {(symbol: string) => string} position where the sheet lies for it
   */
  show(symbol, position, { time = 0, delay = 0 } = {}) {
    this.symbol = symbol;
    if (this.worn === symbol || (this.place.deep && !this.flies)) return;
    clearTimeout(this.turning);
    this.worn = symbol;
    if (time) this.turning = setTimeout(() => this.dress(position), delay + time * HALF);
    else this.dress(position);
  }

  dress(position) {
    this.node.style.backgroundPosition = position(this.worn);
  }
}

/** The light round a card that moved last; it travels with it. */
export class Glow extends Piece {
  follow(card) {
    const { flies, flight, place } = card;
    this.stop();
    this.lie({ ...place, z: place.z - 0.5 });
    if (!flies) return;
    const { from, to, z } = flight;
    const steps = [at(from, z - 0.5, WHOLE), at(to, z - 0.5, WHOLE)];
    this.go({ ...flight, z: z - 0.5 }, { transform: steps, opacity: [0, 1] });
  }
}
