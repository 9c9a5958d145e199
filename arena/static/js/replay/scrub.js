/**
 * The bar under the felt: a slider over the whole game with the turns as ticks, marks where something
 * happened, and above it how many cards each seat had left, with what the bots thought of their chances.
 */

import { MARKS } from "arena/replay/timeline";

const HEIGHT = 66;
const AXIS = 50;

export class ScrubBar {
  /** @param {{canvas: HTMLCanvasElement, range: HTMLInputElement}} parts */
  constructor({ canvas, range }, timeline, onSeek) {
    this.canvas = canvas;
    this.range = range;
    this.timeline = timeline;
    this.count = 0;
    this.values = null;
    // A hand on the slider sends more events than the screen has frames: one jump a frame is enough.
    let waiting = false;
    range.addEventListener("input", () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        onSeek(Number(range.value));
      });
    });
    new ResizeObserver(() => this.draw()).observe(canvas);
    document.addEventListener("themechange", () => this.draw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  show(count, words) {
    this.count = count;
    this.range.max = this.timeline.length;
    this.range.value = count;
    this.range.setAttribute("aria-valuetext", words);
    this.#cursor();
  }

  /** Shows from now on who was expected to win: `win` of seat 0 and the `luck` in it, by events seen. */
  expect(values) {
    this.values = values;
    this.draw();
  }

  /** Redraws the picture of the whole game; the cursor alone moves by `show`. */
  draw() {
    const width = this.canvas.clientWidth;
    if (!width) return;
    const scale = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(HEIGHT * scale);
    const context = this.canvas.getContext("2d");
    context.scale(scale, scale);
    this.width = width;
    const style = getComputedStyle(this.canvas);
    const colour = (name) => style.getPropertyValue(name).trim();
    this.#turns(context, colour);
    if (this.values) this.#expected(context, colour);
    this.#lefts(context, colour);
    this.#evals(context, colour);
    this.#marks(context, colour);
    this.#cursor();
  }

  #x(count) {
    return 8 + (count / Math.max(1, this.timeline.length)) * (this.width - 16);
  }

  #turns(context, colour) {
    const { turns, length } = this.timeline;
    turns.forEach(({ seat, first }, index) => {
      const from = this.#x(first);
      const to = this.#x(turns[index + 1]?.first ?? length);
      context.fillStyle = colour(`--seat-${seat}`);
      context.globalAlpha = 0.75;
      context.fillRect(from, AXIS + 9, Math.max(1, to - from - 0.6), 3.5);
    });
    context.globalAlpha = 1;
  }

  #lefts(context, colour) {
    const { notes, start } = this.timeline;
    const most = Math.max(...start.left, ...notes.map((note) => Math.max(...note.left)), 1);
    const y = (left) => 4 + (1 - left / most) * (AXIS - 10);
    start.left.forEach((first, seat) => {
      context.beginPath();
      context.moveTo(this.#x(0), y(first));
      notes.forEach((note, index) => context.lineTo(this.#x(index + 1), y(note.left[seat])));
      context.strokeStyle = colour(`--seat-${seat}`);
      context.lineWidth = 1.8;
      context.lineJoin = "round";
      context.stroke();
    });
  }

  /** What each bot thought of its own chances, as dots: 1 at the top, -1 at the bottom. */
  #evals(context, colour) {
    this.timeline.events.forEach((event, index) => {
      if (typeof event.eval !== "number") return;
      context.fillStyle = colour(`--seat-${event.seat}`);
      context.globalAlpha = 0.4;
      context.fillRect(this.#x(index + 1) - 0.75, 4 + ((1 - event.eval) / 2) * (AXIS - 10) - 0.75, 1.5, 1.5);
    });
    context.globalAlpha = 1;
  }

  /** A field between an even chance and the chance of seat 0, and a stroke where luck moved it far. */
  #expected(context, colour) {
    const { win, luck } = this.values;
    const y = (chance) => 4 + (1 - chance) * (AXIS - 10);
    const last = Math.min(win.length - 1, this.timeline.length);
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
      context.globalAlpha = 0.8;
      for (let count = 1; count <= last; count += 1) {
        const gained = seat ? -luck[count] : luck[count];
        if (gained > 0.04) context.fillRect(this.#x(count) - 0.75, y(win[count]) - 2, 1.5, 4);
      }
    }
    context.globalAlpha = 1;
  }

  #marks(context, colour) {
    this.timeline.notes.forEach((note, index) => {
      const mark = note.marks.find((name) => MARKS[name].key);
      const x = this.#x(index + 1);
      if (!mark) {
        if (note.marks.includes("turned")) {
          context.fillStyle = colour("--muted");
          context.fillRect(x - 0.75, AXIS - 1.5, 1.5, 3);
        }
        return;
      }
      context.fillStyle = colour(mark === "stop" || mark === "end" ? "--bad" : "--brass");
      context.beginPath();
      context.moveTo(x, AXIS - 4);
      context.lineTo(x + 3.2, AXIS);
      context.lineTo(x, AXIS + 4);
      context.lineTo(x - 3.2, AXIS);
      context.fill();
    });
  }

  #cursor() {
    const share = this.count / Math.max(1, this.timeline.length);
    this.canvas.parentElement.style.setProperty("--at", share);
  }
}
