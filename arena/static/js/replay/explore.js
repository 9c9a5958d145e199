/**
 * "What if": from any ply of a finished game, play on yourself. The server's engine says what is legal and what
 * happens; a move that is not legal comes back with the reason. Nothing of it is stored.
 */

import { pileOf } from "arena/replay/cards";
import { Table } from "arena/replay/table";

const STEP_MS = 260;

export class Explorer {
  constructor(page) {
    this.page = page;
    this.active = false;
    this.box = page.root.querySelector("[data-try]");
    this.words = this.box.querySelector("[data-try-words]");
    this.list = this.box.querySelector("[data-try-legal]");
    this.box.querySelector("[data-try-undo]").addEventListener("click", () => this.undo());
    this.box.querySelector("[data-try-leave]").addEventListener("click", () => this.#back());
    this.list.addEventListener("click", (event) => {
      const button = event.target.closest("[data-move]");
      if (button) this.play(button.dataset.move);
    });
  }

  toggle() {
    if (this.active) this.#back();
    else this.enter();
  }

  async enter() {
    const { transport, timeline, view } = this.page;
    transport.pause();
    this.active = true;
    this.moves = [];
    this.chosen = null;
    this.base = transport.count;
    this.table = new Table(timeline.record.start);
    for (const event of timeline.events.slice(0, this.base)) this.table.apply(event);
    view.use(this.table);
    this.box.hidden = false;
    this.#pressed(true);
    await this.#ask();
  }

  /** Gives the table back to the replay; does nothing if it has it. */
  leave() {
    if (!this.active) return;
    this.active = false;
    this.box.hidden = true;
    this.#pressed(false);
    this.page.view.mark([], [], null);
    this.page.view.use(this.page.transport.table);
  }

  #back() {
    const { transport } = this.page;
    this.leave();
    transport.seek(transport.count);
  }

  #pressed(on) {
    this.page.root.classList.toggle("is-trying", on);
    this.page.root.querySelector('[data-do="explore"]').setAttribute("aria-pressed", on);
  }

  /** What the server makes of the moves tried so far; takes the last one back if it was refused. */
  async #ask() {
    const url = new URL(this.page.root.dataset.explore, location.href);
    url.searchParams.set("at", this.base);
    url.searchParams.set("moves", this.moves.join(","));
    let answer;
    try {
      const response = await fetch(url);
      answer = await response.json();
      if (!response.ok) throw new Error(answer.error);
    } catch (error) {
      this.moves.length = this.table.history.length - this.base;
      this.#say(`The move could not be tried: ${error.message}`);
      return;
    }
    if (!this.active) return;
    for (const event of answer.events.slice(this.table.history.length - this.base)) this.table.apply(event);
    this.moves.length = this.table.history.length - this.base;
    this.legal = answer.legal;
    this.finished = answer.finished;
    this.#draw(answer.refused);
  }

  async play(move) {
    this.chosen = null;
    this.moves.push(move);
    await this.#ask();
  }

  async undo() {
    if (!this.moves.length) {
      this.#back();
      return;
    }
    this.moves.pop();
    this.table.undo();
    this.chosen = null;
    await this.#ask();
  }

  #draw(refused) {
    const { view, seats } = this.page;
    view.render({ duration: STEP_MS });
    seats.show(this.table, this.base);
    this.#mark();
    this.list.replaceChildren(...this.legal.map(({ move, words }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "btn btn--small";
      button.dataset.move = move;
      button.textContent = words;
      return button;
    }));
    this.#say(refused || this.#invitation());
  }

  #invitation() {
    const name = this.page.names[this.table.turn];
    if (this.finished) return `The game is over after ${this.moves.length} moves of your own.`;
    const tried = this.moves.length ? `${this.moves.length} tried. ` : "";
    return `${tried}You play for ${name}: tap a pile and where its card goes, or choose a move.`;
  }

  #say(words) {
    this.words.textContent = words;
  }

  /** The pile that a move starts from, and the piles it may end on. */
  #ends(move) {
    const { turn } = this.table;
    const [from, to] = move.split("-");
    const own = { r: `r${turn}`, d: `d${turn}`, h: "x", draw: `h${turn}`, pass: null };
    const source = from in own ? own[from] : from;
    if (!to) return { source, targets: [] };
    if (to === "f") {
      const id = this.table.top(source);
      const suit = id === undefined ? "" : this.table.cards[id].face[1];
      return { source, targets: [...this.page.view.slots.keys()].filter((name) => name.startsWith(`f${suit}`)) };
    }
    return { source, targets: [to === "d" ? `d${turn}` : to] };
  }

  #mark() {
    const ends = this.legal.map(({ move }) => this.#ends(move));
    const drawn = this.table.pile("x").length > 0;
    const chosen = drawn ? "x" : this.chosen;
    const targets = chosen ? ends.filter(({ source }) => source === chosen).flatMap((end) => end.targets) : [];
    const sources = chosen ? [] : ends.map(({ source }) => source).filter(Boolean);
    this.page.view.mark(sources, targets, chosen);
  }

  /** A pile was tapped: first where from, then where to. */
  click(name) {
    const { turn } = this.table;
    const pile = pileOf(name);
    if (this.table.pile("x").length) {
      this.play(`h-${this.#target(name)}`);
    } else if (this.chosen === null && name === `h${turn}`) {
      this.play("draw");
    } else if (this.chosen === null) {
      const own = pile.kind === "house" || pile.seat === turn;
      if (!own || !this.table.pile(name).length) {
        this.#say(own ? "Nothing lies there to be moved." : "Only a house or the mover’s own piles can be played from.");
        return;
      }
      this.chosen = name;
      this.#mark();
    } else if (this.chosen === name) {
      this.chosen = null;
      this.#mark();
    } else {
      this.play(`${this.#source(this.chosen)}-${this.#target(name)}`);
    }
  }

  #source(name) {
    return pileOf(name).kind === "house" ? name : name[0];
  }

  #target(name) {
    const pile = pileOf(name);
    if (pile.kind === "foundation") return "f";
    if (pile.kind === "discard" && pile.seat === this.table.turn) return "d";
    return name;
  }
}
