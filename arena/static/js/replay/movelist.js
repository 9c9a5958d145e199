/** The moves in words, turn by turn, with thinking time, comments and evaluations. */

import { writeTick } from "arena/race/rows";
import { commentsOf, evalsOf, timesOf } from "arena/replay/said";
import { eventWords, timeWords } from "arena/replay/words";

const SCROLL_MS = 200;
/** So many ticks stand under one heading. */
const TICKS = 25;

function node(name, className, text) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

export class MoveList {
  constructor(list, timeline, names, onSeek) {
    this.list = list;
    /** What scrolls. */
    this.frame = list.parentElement;
    this.timeline = timeline;
    this.names = names;
    this.written = 0;
    this.rows = [];
    this.current = null;
    this.inSight = false;
    this.waiting = null;
    this.scrolled = -SCROLL_MS;
    new IntersectionObserver(([{ isIntersecting }]) => {
      this.inSight = isIntersecting;
      this.#keepInView();
    }).observe(this.frame);
    list.addEventListener("click", (event) => {
      const row = event.target.closest("[data-count]");
      if (row) onSeek(Number(row.dataset.count));
    });
  }

  /** Writes the rows of events that came since the last call. */
  grow() {
    const { events, notes } = this.timeline;
    for (let index = this.written; index < events.length; index += 1) {
      const group = this.#group(this.#chapter(index));
      group.append(this.#row(events[index], notes[index], index));
    }
    this.written = events.length;
  }

  /** What an event stands under: its turn, or in a game in ticks a number of them. */
  #chapter(index) {
    if (this.timeline.head.inTicks) {
      const part = Math.floor(index / TICKS);
      return { key: part, heading: `From tick ${part * TICKS + 1}`, seat: "" };
    }
    const { turn } = this.timeline.notes[index];
    const seat = this.timeline.turns[turn]?.seat ?? 0;
    return { key: turn, heading: `${turn + 1}. ${this.names[seat]}`, seat };
  }

  #group({ key, heading: words, seat }) {
    let group = this.list.lastElementChild;
    if (group?.dataset.turn === String(key)) return group.lastElementChild;
    group = node("li", "turn");
    group.dataset.turn = key;
    const heading = node("div", "turn__head", words);
    heading.dataset.seat = seat;
    group.append(heading, node("ol", "turn__moves"));
    this.list.append(group);
    return group.lastElementChild;
  }

  #row(event, note, index) {
    const item = node("li");
    const button = node("button", `ply${note.marks.length ? ` ply--${note.marks[0]}` : ""}`);
    button.type = "button";
    button.dataset.count = index + 1;
    button.append(node("span", "ply__number", ["move", "tick"].includes(event.type) ? note.ply : ""));
    button.append(this.#words(event));
    const time = timeWords(Math.max(0, ...timesOf(event).map(([, ms]) => ms)));
    if (time) button.append(node("span", "ply__time", time));
    for (const [, estimate] of evalsOf(event)) {
      const value = node("span", "ply__eval", (estimate > 0 ? "+" : "") + estimate.toFixed(2));
      value.title = "The mover’s own estimate, from −1 lost to +1 won";
      button.append(value);
    }
    item.append(button);
    for (const [, said] of commentsOf(event)) item.append(node("p", "ply__comment", said));
    this.rows[index] = button;
    return item;
  }

  /** A move in words; of a tick both seats' parts, each with the colour of its seat. */
  #words(event) {
    if (event.type !== "tick") return node("span", "ply__words", eventWords(event, this.names));
    const words = node("span", "ply__words");
    writeTick(words, event, this.names);
    return words;
  }

  /** Marks the row of the event shown last; at most once a frame. */
  show(count) {
    if (this.shown === undefined) requestAnimationFrame(() => this.#mark());
    this.shown = count;
  }

  #mark() {
    const count = this.shown;
    this.shown = undefined;
    this.current?.removeAttribute("aria-current");
    this.current = this.rows[count - 1] ?? null;
    this.current?.setAttribute("aria-current", "step");
    this.#keepInView();
  }

  /**
   * Scrolls the row into view within the list. To know where it is costs a layout of the page, which is too
   * much for every ply of a fast replay on a phone: it is done some times a second, and not at all unseen.
   */
  #keepInView() {
    if (!this.inSight || this.waiting) return;
    this.waiting = setTimeout(() => {
      this.waiting = null;
      this.#scroll();
    }, Math.max(0, this.scrolled + SCROLL_MS - performance.now()));
  }

  #scroll() {
    this.scrolled = performance.now();
    if (!this.current) {
      this.frame.scrollTop = 0;
      return;
    }
    const box = this.current.getBoundingClientRect();
    const frame = this.frame.getBoundingClientRect();
    if (box.top < frame.top + 40 || box.bottom > frame.bottom - 20) {
      this.frame.scrollTop += box.top - frame.top - frame.height / 2;
    }
  }
}
