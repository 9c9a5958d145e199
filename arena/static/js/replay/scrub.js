/**
 * The bar under the felt: a slider over the whole game with the turns as ticks, marks where something
 * happened, and above it how many cards each seat had left, with what the bots thought of their chances.
 */

import { markWords, signOf } from "arena/replay/marks";
import { evalsOf } from "arena/replay/said";
import { followHand } from "arena/replay/slider";
import { swingsOf } from "arena/replay/swings";
import { mark } from "arena/replay/writing";
import { gettext } from "arena/words";

/** Below the graph, from the bottom up: the turns, the lesser marks, the greater ones. */
const TURNS = 6;
const LESSER = 12;
const GREATER = 21;
const BELOW = 29;
/** On a lower bar, the figures of the chances would stand on each other. */
const ROOMY = 70;

export class ScrubBar {
  /**
   * @param {{canvas: HTMLCanvasElement, range: HTMLInputElement, tip: HTMLElement}} parts
   * @param {(event: object) => string} words an event in words, for the tip
   * @param {() => {reach: number, seen: number}} sight how many events the bar is long, and how many may be drawn on it
   */
  constructor({ canvas, range, tip }, timeline, onSeek, words, sight) {
    this.sight = sight;
    this.canvas = canvas;
    this.tip = tip;
    this.words = words;
    this.mistakes = [];
    this.range = range;
    this.timeline = timeline;
    this.count = 0;
    this.values = null;
    this.width = canvas.clientWidth;
    this.#look();
    this.cursor = document.createElement("i");
    this.cursor.className = "scrub__cursor";
    canvas.after(this.cursor);
    /** The cursor's way over the whole game, standing still at the place shown. */
    this.way = null;
    // A hand on the slider sends more events than the screen has frames: one jump a frame is enough.
    this.wanted = null;
    /** Where the pointer is, until the next frame tells what happened there. */
    this.hovered = null;
    range.addEventListener("input", () => {
      const waiting = this.wanted !== null;
      this.wanted = Number(range.value);
      if (!waiting) requestAnimationFrame(() => {
        const { wanted } = this;
        this.wanted = null;
        onSeek(wanted);
      });
    });
    followHand(range, (x) => this.#countAt(x));
    range.addEventListener("pointermove", ({ offsetX }) => {
      const waiting = this.hovered !== null;
      this.hovered = offsetX;
      if (!waiting) requestAnimationFrame(() => this.#hover());
    });
    range.addEventListener("pointerleave", () => {
      this.hovered = null;
      tip.hidden = true;
    });
    new ResizeObserver(() => this.draw()).observe(canvas);
    document.addEventListener("themechange", () => this.draw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /** Points to where the viewer stands. */
  show(count) {
    this.count = count;
    this.#cursor();
  }

  /** Draws anew if more may be seen than was drawn. */
  grow() {
    const { reach, seen } = this.sight();
    if (reach !== this.reach || seen !== this.seen) this.draw();
  }

  /** Says where that is. The slider itself, which nobody sees, follows here: to move it costs a layout. */
  tell(words) {
    if (this.wanted === null && Number(this.range.value) !== this.count) this.range.value = String(this.count);
    mark(this.range, "aria-valuetext", words);
  }

  /** Shows from now on who was expected to win: `win` of seat 0 and the `luck` in it, by events seen. */
  expect(values) {
    this.values = values;
    this.draw();
  }

  /** Points out the mistakes from now on: {count, seat} each. */
  point(mistakes) {
    this.mistakes = mistakes;
    this.draw();
  }

  /** Marks a passage of the game on the bar: from one count of events to another. */
  mark(from, to) {
    if (!this.passage) {
      this.passage = document.createElement("span");
      this.passage.className = "scrub__passage";
      this.canvas.after(this.passage);
    }
    const [left, right] = [from, to].map((count) => count / Math.max(1, this.sight().reach));
    this.passage.hidden = from >= to;
    this.passage.style.left = `calc(8px + (100% - 16px) * ${left})`;
    this.passage.style.right = `calc(8px + (100% - 16px) * ${1 - right})`;
  }

  /** Redraws the picture of the whole game; the cursor alone moves by `show`. */
  draw() {
    const width = this.canvas.clientWidth;
    this.#look();
    mark(this.range, "max", this.reach);
    if (!width) return;
    const scale = window.devicePixelRatio || 1;
    this.height = this.canvas.clientHeight;
    // A bitmap once drawn costs nothing in later frames; a canvas to draw on is asked in each whether it changed.
    const picture = new OffscreenCanvas(Math.round(width * scale), Math.max(1, Math.round(this.height * scale)));
    const context = picture.getContext("2d");
    context.scale(scale, scale);
    this.width = width;
    const style = getComputedStyle(this.canvas);
    const colour = (name) => style.getPropertyValue(name).trim();
    this.#turns(context, colour);
    if (this.values) this.#scale(context, colour);
    if (this.values?.win) this.#expected(context, colour);
    else if (this.values?.wins) this.#chances(context, colour);
    this.#lefts(context, colour);
    this.#evals(context, colour);
    this.#marks(context, colour);
    this.#mistakes(context, colour);
    if (this.values) this.#figures(context, colour);
    this.canvas.getContext("bitmaprenderer").transferFromImageBitmap(picture.transferToImageBitmap());
    this.#lay();
    this.#cursor();
  }

  #look() {
    const { reach, seen } = this.sight();
    this.reach = reach;
    this.seen = seen;
  }

  #x(count) {
    return 8 + (count / Math.max(1, this.reach)) * (this.width - 16);
  }

  /** The height of a share of the graph: 1 at the top, 0 at its foot. */
  #y(share) {
    return 4 + (1 - share) * (this.height - BELOW - 8);
  }

  #turns(context, colour) {
    const { turns } = this.timeline;
    turns.forEach(({ seat, first }, index) => {
      if (first >= this.seen) return;
      const from = this.#x(first);
      const to = this.#x(Math.min(this.seen, turns[index + 1]?.first ?? this.seen));
      context.fillStyle = colour(`--seat-${seat}`);
      context.globalAlpha = 0.75;
      context.fillRect(from, this.height - TURNS, Math.max(1, to - from - 0.6), 4);
    });
    context.globalAlpha = 1;
  }

  #lefts(context, colour) {
    const { start } = this.timeline;
    const notes = this.timeline.notes.slice(0, this.seen);
    const most = Math.max(...start.left, ...notes.map((note) => Math.max(...note.left)), 1);
    const y = (left) => this.#y(left / most);
    start.left.forEach((first, seat) => {
      context.beginPath();
      context.moveTo(this.#x(0), y(first));
      notes.forEach((note, index) => context.lineTo(this.#x(index + 1), y(note.left[seat])));
      context.strokeStyle = colour(`--seat-${seat}`);
      context.lineWidth = this.values ? 1.2 : 1.8;
      // Beside the chances, the cards left are the lesser thing.
      context.setLineDash(this.values ? [3, 3] : []);
      context.lineJoin = "round";
      context.stroke();
    });
    context.setLineDash([]);
  }

  /** What each bot thought of its own chances, as dots: 1 at the top, -1 at the bottom. */
  #evals(context, colour) {
    this.timeline.events.slice(0, this.seen).forEach((event, index) => {
      for (const [seat, value] of evalsOf(event)) {
        context.fillStyle = colour(`--seat-${seat}`);
        context.globalAlpha = 0.4;
        context.fillRect(this.#x(index + 1) - 0.75, this.#y((1 + value) / 2) - 0.75, 1.5, 1.5);
      }
    });
    context.globalAlpha = 1;
  }

  /** Lines at a quarter, a half and three quarters of the chances. */
  #scale(context, colour) {
    context.strokeStyle = colour("--muted");
    context.lineWidth = 1;
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      const y = Math.round(this.#y(share)) + 0.5;
      context.globalAlpha = share === 0.5 ? 0.5 : 0.22;
      context.beginPath();
      context.moveTo(8, y);
      context.lineTo(this.width - 8, y);
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  /** What the lines mean, each on a patch of its own, for curves pass there. */
  #figures(context, colour) {
    context.font = "600 10px sans-serif";
    context.textAlign = "left";
    for (const share of this.height < ROOMY ? [0.5] : [0, 0.5, 1]) {
      const words = `${100 * share} %`;
      // The figure in the middle stands in its line, for above or below it there is no room on a low graph.
      const y = Math.round(this.#y(share)) + { 0: -1, 0.5: 4, 1: 9 }[share];
      context.globalAlpha = 0.86;
      context.fillStyle = colour("--paper");
      context.fillRect(8, y - 9, context.measureText(words).width + 5, 11);
      context.globalAlpha = 1;
      context.fillStyle = colour("--muted");
      context.fillText(words, 10, y);
    }
  }

  /** With three or four seats: each one's chance to come first. */
  #chances(context, colour) {
    this.values.wins.forEach((win, seat) => {
      context.beginPath();
      win.slice(0, this.seen + 1).forEach((chance, count) => {
        const x = this.#x(count);
        const y = this.#y(chance);
        if (count) context.lineTo(x, this.#y(win[count - 1]));
        context.lineTo(x, y);
      });
      context.strokeStyle = colour(`--seat-${seat}`);
      context.lineWidth = 2.6;
      context.globalAlpha = 0.85;
      context.stroke();
    });
    context.globalAlpha = 1;
  }

  /** A field between an even chance and the chance of seat 0, and its swings split into luck and skill. */
  #expected(context, colour) {
    const { win } = this.values;
    const y = (chance) => this.#y(chance);
    const last = Math.min(win.length - 1, this.seen);
    for (const seat of [0, 1]) {
      context.beginPath();
      context.moveTo(this.#x(0), y(0.5));
      for (let count = 0; count <= last; count += 1) {
        const chance = seat ? Math.min(0.5, win[count]) : Math.max(0.5, win[count]);
        context.lineTo(this.#x(count), y(chance));
      }
      context.lineTo(this.#x(last), y(0.5));
      context.fillStyle = colour(`--seat-${seat}`);
      context.globalAlpha = 0.16;
      context.fill();
    }
    context.globalAlpha = 0.9;
    for (const { count, skill } of swingsOf(this.values)) {
      if (count > this.seen) break;
      const middle = y(Math.max(0, Math.min(1, win[count - 1] + skill)));
      const stroke = (from, to, name) => {
        context.fillStyle = colour(name);
        context.fillRect(this.#x(count) - 1.25, Math.min(from, to), 2.5, Math.abs(to - from));
      };
      stroke(y(win[count - 1]), middle, "--accent");
      stroke(middle, y(win[count]), "--brass");
    }
    context.globalAlpha = 1;
  }

  #marks(context, colour) {
    this.timeline.notes.slice(0, this.seen).forEach((note, index) => {
      const sign = signOf(note.marks);
      if (!sign) return;
      context.fillStyle = context.strokeStyle = colour(sign.colour);
      sign.draw(context, this.#x(index + 1), this.height - (sign.great ? GREATER : LESSER), sign.size);
    });
  }

  #mistakes(context, colour) {
    context.font = "700 13px sans-serif";
    context.textAlign = "center";
    for (const { count, seat } of this.mistakes) {
      if (count >= this.seen) continue;
      context.fillStyle = colour(`--seat-${seat}`);
      context.fillText("?", this.#x(count), 13);
    }
  }

  /** What happened where the pointer is. */
  #hover() {
    const offsetX = this.hovered;
    this.hovered = null;
    if (offsetX === null) return;
    const count = this.#countAt(offsetX);
    this.tip.hidden = count > this.seen;
    if (this.tip.hidden) return;
    const note = this.timeline.at(count);
    const event = this.timeline.events[count - 1];
    const marks = markWords(note.marks);
    this.tip.textContent = event ? `${note.ply}. ${this.words(event)}${marks ? ` · ${marks}` : ""}` : gettext("The start");
    const half = this.tip.offsetWidth / 2;
    this.tip.style.left = `${Math.max(half, Math.min(this.width - half, offsetX))}px`;
  }

  /** What stands so many pixels from the left. */
  #countAt(x) {
    return Math.max(0, Math.min(this.reach, Math.round(((x - 8) / (this.width - 16)) * this.reach)));
  }

  /** Puts the cursor where the viewer stands: the compositor moves it along, which costs the page no drawing. */
  #cursor() {
    if (this.way) this.way.currentTime = Math.min(1, this.count / Math.max(1, this.reach));
  }

  #lay() {
    this.way?.cancel();
    const transform = [8, this.width - 8].map((x) => `translateX(${x}px)`);
    this.way = this.cursor.animate({ transform }, { duration: 1, fill: "both" });
    this.way.pause();
  }
}
