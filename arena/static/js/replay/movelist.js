/**
 * The moves in words, turn by turn, with thinking time, comments and evaluations. Of a long game only the rows
 * round the one that is looked at are written; the room of the others is kept free.
 */

import { writeTick } from "arena/ticks/rows";
import { commentsOf, evalsOf, timesOf } from "arena/replay/said";
import { eventWords, timeWords } from "arena/replay/words";
import { node } from "arena/replay/writing";
import { decimal, gettext } from "arena/words";

const SCROLL_MS = 200;
/** So many ticks stand under one heading. */
const TICKS = 25;
/** So many rows are written before and after the one that is looked at. */
const AROUND = 60;
/** About how high things are, in pixels: the rows that are not written take as much room. */
const HEIGHT = { row: 30, tick: 45, head: 27, comment: 23 };

export class MoveList {
  /** @param {() => number} seen how many events may be listed */
  constructor(list, timeline, names, onSeek, seen) {
    this.list = list;
    this.seen = seen;
    /** What scrolls. */
    this.frame = list.parentElement;
    this.timeline = timeline;
    this.names = names;
    /** About where the row of each event begins, and after them the end. */
    this.tops = [0];
    /** The rows written: of the events `from` to before `to`. */
    this.from = 0;
    this.to = 0;
    this.rows = new Map();
    this.count = 0;
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
    this.frame.addEventListener("scroll", () => this.#fill(), { passive: true });
  }

  /** Takes in the events that came, or may be listed, since the last call. */
  grow() {
    const { events } = this.timeline;
    const open = this.to === this.tops.length - 1;
    const length = this.seen();
    if (length === this.tops.length - 1) return;
    for (let index = this.tops.length - 1; index < length; index += 1) {
      const row = events[index].type === "tick" ? HEIGHT.tick : HEIGHT.row;
      const head = this.#leads(index) ? HEIGHT.head : 0;
      this.tops.push(this.tops[index] + row + head + commentsOf(events[index]).length * HEIGHT.comment);
    }
    if (open && length - this.from <= 4 * AROUND) this.#append(length);
    else if (open) this.#write(this.to);
    this.#pad();
  }

  /** Writes the rows round an event, and no others. */
  #write(index) {
    let from = Math.max(0, index - AROUND);
    while (!this.#leads(from)) from -= 1;
    this.list.replaceChildren();
    this.rows.clear();
    this.from = this.to = from;
    this.#append(Math.min(this.tops.length - 1, index + AROUND));
    this.#pad();
    this.#point();
  }

  #append(to) {
    const { events, notes } = this.timeline;
    for (; this.to < to; this.to += 1) {
      this.#group(this.#chapter(this.to)).append(this.#row(events[this.to], notes[this.to], this.to));
    }
  }

  #pad() {
    this.list.style.paddingTop = `${this.tops[this.from]}px`;
    this.list.style.paddingBottom = `${this.tops.at(-1) - this.tops[this.to]}px`;
  }

  /** Writes what is scrolled to where nothing is written. */
  #fill() {
    const { scrollTop, clientHeight, scrollHeight } = this.frame;
    const above = this.from > 0 && scrollTop < this.tops[this.from];
    const below = this.tops.at(-1) - this.tops[this.to];
    if (!above && !(below > 0 && scrollTop + clientHeight > scrollHeight - below)) return;
    const index = this.tops.findIndex((top) => top > scrollTop + clientHeight / 2);
    this.#write(index < 0 ? this.tops.length - 1 : index);
  }

  /** Whether an event is the first under its heading. */
  #leads(index) {
    return !index || this.#key(index) !== this.#key(index - 1);
  }

  /** What an event stands under: its turn, or in a game in ticks a number of them. */
  #key(index) {
    return this.timeline.head.inTicks ? Math.floor(index / TICKS) : this.timeline.notes[index].turn;
  }

  #chapter(index) {
    const key = this.#key(index);
    if (this.timeline.head.inTicks) return { key, heading: gettext("From tick {number}", { number: key * TICKS + 1 }), seat: "" };
    const seat = this.timeline.turns[key]?.seat ?? 0;
    return { key, heading: `${key + 1}. ${this.names[seat]}`, seat };
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
      const value = node("span", "ply__eval", (estimate > 0 ? "+" : "") + decimal(estimate, 2));
      value.title = gettext("The bot’s own estimate, from −1 (lost) to +1 (won)");
      button.append(value);
    }
    item.append(button);
    for (const [, said] of commentsOf(event)) item.append(node("p", "ply__comment", said));
    this.rows.set(index, button);
    return item;
  }

  /** A move in words; of a tick both seats' parts, each with the colour of its seat. */
  #words(event) {
    if (event.type !== "tick") return node("span", "ply__words", eventWords(event, this.names));
    const words = node("span", "ply__words");
    writeTick(words, event, this.names);
    return words;
  }

  /** The event shown last is another one: its row is marked and scrolled to, soon. */
  show(count) {
    if (count === this.count) return;
    this.count = count;
    this.#keepInView();
  }

  #point() {
    const row = this.rows.get(this.count - 1) ?? null;
    if (row === this.current) return;
    this.current?.removeAttribute("aria-current");
    this.current = row;
    row?.setAttribute("aria-current", "step");
  }

  /**
   * Scrolls the row into view within the list. To know where it is costs a layout of the page, which is too
   * much for every ply of a fast replay on a phone: it is done some times a second, and not at all unseen.
   */
  #keepInView() {
    if (!this.inSight || this.waiting) return;
    this.waiting = setTimeout(() => {
      this.waiting = null;
      const index = this.count - 1;
      if (this.count && (index < this.from || index >= this.to)) this.#write(index);
      this.#point();
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
