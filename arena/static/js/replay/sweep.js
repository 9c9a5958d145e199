/**
 * A table that changes faster than eyes can follow: while a hand goes over the slider, or a game plays as fast as
 * it can, all cards are drawn as one picture by another thread (`sweeper`), and no element of the page changes.
 * Where a browser cannot do that, or as long as it is not ready for it, cards are drawn as ever.
 */

import { HIDDEN } from "arena/replay/cards";

/** Nobody looks at each of several changes that follow each other within this many milliseconds. */
const QUICK_MS = 150;
/** What the other thread is doing: it is given the cards' looks, it can draw, its picture is on the screen. */
const [DRESSING, READY, DRAWN] = ["dressing", "ready", "drawn"];
/** What can be drawn; each is five numbers: the kind, its place, and where it is on the sheet or whose it is. */
const KIND = { card: 0, light: 1, frame: 2 };

export class Sweep {
  /** @param {import("arena/replay/view").View} view */
  constructor(view) {
    this.view = view;
    this.worker = null;
    this.canvas = null;
    this.state = null;
    this.look = null;
    /** Whether its picture is shown in place of the cards. */
    this.on = false;
    this.last = -QUICK_MS;
    this.able = "OffscreenCanvas" in window && "transferControlToOffscreen" in HTMLCanvasElement.prototype;
  }

  /**
   * Draws the table if it changes fast.
   * @param {object[]} places of its cards, by identity
   * @returns {boolean} whether the picture shows it; if not, the cards have to
   */
  draw(places) {
    const now = performance.now();
    const quick = now - this.last < QUICK_MS;
    this.last = now;
    if (!quick || !this.able || !this.#dressed()) return false;
    this.worker.postMessage({ things: this.#things(places), answer: this.state !== DRAWN });
    if (this.state !== DRAWN) return false;
    if (!this.on) this.view.felt.classList.add("is-swept");
    this.on = true;
    return true;
  }

  /** The cards are shown again: they must have been drawn. */
  end() {
    this.on = false;
    if (this.state === DRAWN) this.state = READY;
    this.view.felt.classList.remove("is-swept");
  }

  close() {
    this.worker?.terminate();
    this.able = false;
  }

  /** Whether the other thread knows how cards look now; if not, it is told. */
  #dressed() {
    const { layout, sheet } = this.view;
    if (this.look?.sheet === sheet && this.look.layout === layout) return this.state !== DRESSING;
    if (this.state !== DRESSING) this.#dress({ layout, sheet });
    return false;
  }

  async #dress(look) {
    this.state = DRESSING;
    this.worker ??= this.#start();
    this.look = look;
    const { layer } = this.view;
    const { card } = look.layout;
    const { cell } = look.sheet;
    const size = { width: layer.clientWidth, height: layer.clientHeight, scale: cell.width / card.width };
    const style = getComputedStyle(this.view.felt);
    const colours = [0, 1, 2, 3].map((seat) => style.getPropertyValue(`--glow-${seat}`).trim());
    Object.assign(this.canvas.style, { width: `${size.width}px`, height: `${size.height}px` });
    this.worker.postMessage({ look: { ...size, colours, card, cell, sheet: await look.sheet.blob } });
  }

  #start() {
    this.canvas = document.createElement("canvas");
    this.canvas.className = "felt__layer felt__sweep";
    this.canvas.setAttribute("aria-hidden", "true");
    this.view.room.after(this.canvas);
    const offscreen = this.canvas.transferControlToOffscreen();
    const worker = new Worker(import.meta.resolve("arena/replay/sweeper"), { type: "module" });
    worker.addEventListener("message", ({ data }) => {
      if (data === "dressed") this.state = READY;
      else if (this.state === READY && performance.now() - this.last < QUICK_MS) this.state = DRAWN;
    });
    worker.addEventListener("error", () => {
      this.able = false;
      this.view.settle();
    });
    worker.postMessage({ canvas: offscreen }, [offscreen]);
    return worker;
  }

  /** What is drawn, from below: the cards and, with them, what points to the last moves. */
  #things(places) {
    const { nodes, pointers, sheet } = this.view;
    const things = [];
    nodes.forEach(({ card: { face, pack } }, id) => {
      const place = places[id];
      if (place.deep) return;
      const cut = sheet.cut(this.view.symbol(place.up ? face : HIDDEN, pack));
      things.push([place.z, KIND.card, place.x, place.y, cut.x, cut.y]);
    });
    for (const { seat, top, origin } of pointers.targets()) {
      const { x, y, z } = places[top];
      things.push([origin.z, KIND.frame, origin.x, origin.y, seat, 0], [z - 0.5, KIND.light, x, y, seat, 0]);
    }
    things.sort(([one], [other]) => one - other);
    return new Float32Array(things.flatMap(([, ...thing]) => thing));
  }
}
