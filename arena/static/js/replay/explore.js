/**
 * "What if": from any ply of a finished game, play on yourself or let a house bot play on. The server's engine
 * says what is legal and what happens; a move that is not legal comes back with the reason. Nothing is stored.
 */

import { pileOf } from "arena/replay/cards";
import { legalButtons } from "arena/replay/legal";
import { isOwn, moveBetween, sourcePile, targetPiles } from "arena/replay/moves";
import { Table } from "arena/replay/table";
import { jsonOf } from "arena/requests";
import { drawn } from "arena/soon";
import { answered } from "arena/thought";
import { resultWords } from "arena/replay/words";
import { gettext, ngettext } from "arena/words";

const STEP_MS = 260;
/** A line of many moves, such as a bot's to the end of the game, is shown faster. */
const LONG_LINE = 12;
const LONG_STEP_MS = 70;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class Explorer {
  constructor(page) {
    this.page = page;
    this.active = false;
    /** Whether it is about to begin. */
    this.entering = false;
    /** What the server says of the table that was reached. */
    this.legal = [];
    /** How many moves had been tried when it said so. */
    this.legalAfter = -1;
    this.finished = false;
    /** Whether the line being shown is carried out at once. */
    this.hurried = false;
    /** Counts the lines shown: a newer one ends the one before. */
    this.line = 0;
    const find = (name) => page.root.querySelector(`[data-try${name}]`);
    this.box = find("");
    this.words = find("-words");
    this.list = find("-legal");
    this.bots = find("-bots");
    this.bot = find("-bot");
    this.alone = find("-alone");
    find("-undo").addEventListener("click", () => this.undo());
    find("-leave").addEventListener("click", () => this.#back());
    this.showing = find("-showing");
    find("-skip").addEventListener("click", () => {
      this.hurried = true;
      this.wake?.();
    });
    find("-stop").addEventListener("click", () => this.#stop());
    this.bots.addEventListener("click", (event) => {
      const button = event.target.closest("[data-try-span]");
      if (button) this.#ask({ bot: this.bot.value, span: button.dataset.trySpan });
    });
    this.list.addEventListener("click", (event) => {
      const button = event.target.closest("[data-move]");
      if (button) this.play(button.dataset.move);
    });
  }

  toggle() {
    if (this.active) this.#back();
    else this.enter();
  }

  /** Leaves the game where it stands; plays the moves given, one after the other. */
  async enter(moves = []) {
    const { transport, timeline, view, arrows } = this.page;
    if (this.entering) return;
    transport.pause();
    // The button answers first: the table of a long game takes a slow phone a while.
    this.entering = true;
    this.#pressed(true);
    await drawn();
    this.entering = false;
    arrows.clear();
    this.active = true;
    this.moves = [...moves];
    this.chosen = null;
    this.base = transport.count;
    this.table = new Table(timeline.record.start);
    for (const event of timeline.events.slice(0, this.base)) this.table.apply(event);
    view.use(this.table);
    this.page.root.classList.add("is-trying");
    this.box.hidden = false;
    await this.#ask();
  }

  /** Gives the table back to the replay; does nothing if it has it. */
  leave() {
    if (!this.active) return;
    this.active = false;
    this.line += 1;
    this.box.hidden = true;
    this.showing.hidden = true;
    this.page.root.classList.remove("is-trying");
    this.#pressed(false);
    this.page.address.write(this.page.ply);
    this.page.view.mark([], [], null);
    this.page.view.use(this.page.transport.table);
  }

  async #back() {
    const { transport } = this.page;
    this.#pressed(false);
    await drawn();
    this.leave();
    transport.seek(transport.count);
  }

  #pressed(on) {
    this.page.root.querySelector('[data-do="explore"]').setAttribute("aria-pressed", on);
  }

  get #tried() {
    return this.table.history.length - this.base;
  }

  /** What the server makes of the moves tried so far; takes the last one back if it was refused. */
  async #ask(bot = {}) {
    const line = (this.line += 1);
    // What was legal before belongs to another position, unless this one is never reached.
    const before = { legal: this.legal, tried: this.legalAfter };
    this.legal = [];
    this.list.replaceChildren();
    this.page.view.mark([], [], null);
    const query = new URLSearchParams({ at: this.base, ...bot });
    let answer;
    try {
      // Commas stay as they are: a long line must not triple in the address.
      const address = `${this.page.root.dataset.explore}?${query}&moves=${this.moves.join(",")}`;
      const response = await answered(() => fetch(address), {
        wanted: () => this.active && line === this.line,
        slow: () => this.#say(gettext("Thinking…")),
      });
      if (!response) return;
      answer = await jsonOf(response);
    } catch (error) {
      if (line !== this.line) return;
      this.moves.length = this.#tried;
      if (before.tried === this.#tried) this.#list(before.legal);
      this.#say(`${gettext("We could not try this move.")} ${error.message}`);
      return;
    }
    if (!this.active || line !== this.line) return;
    this.moves = answer.events.map(({ move }) => move);
    this.finished = answer.finished;
    this.#offer(answer.bots);
    await this.#carryOut(answer.events.slice(this.#tried), line);
    if (line === this.line) this.#draw(answer);
  }

  /** Offers the moves that are legal on the table that was reached. */
  #list(legal) {
    Object.assign(this, { legal, legalAfter: this.#tried });
    this.#mark();
    this.list.replaceChildren(...legalButtons(legal, this.table, this.page.names));
  }

  /** Shows a line event by event, until it is left or something else is asked. */
  async #carryOut(events, line) {
    const { view, seats } = this.page;
    const step = events.length > LONG_LINE ? LONG_STEP_MS : STEP_MS;
    view.mark([], [], null);
    this.hurried = false;
    this.showing.hidden = events.length <= LONG_LINE;
    for (const [index, event] of events.entries()) {
      if (index && !this.hurried) await this.#pause(step * 1.2);
      if (line !== this.line) return;
      this.table.apply(event);
      if (!this.hurried) view.render({ duration: step });
      seats.show(this.table, this.base);
      this.page.tried(this.table, this.#tried);
    }
    this.showing.hidden = true;
  }

  /** Waits, but no longer than until somebody wants the rest at once. */
  #pause(ms) {
    return Promise.race([pause(ms), new Promise((resolve) => (this.wake = () => resolve(undefined)))]);
  }

  /** A line that is being shown ends here, and one plays on from there oneself. */
  async #stop() {
    this.#halt();
    await this.#ask();
  }

  async play(move) {
    this.#halt();
    this.chosen = null;
    this.moves.push(move);
    await this.#ask();
  }

  async undo() {
    this.#halt();
    if (!this.moves.length) {
      this.#back();
      return;
    }
    this.moves.pop();
    this.table.undo();
    this.chosen = null;
    await this.#ask();
  }

  /** A line that is being shown ends where it stands. */
  #halt() {
    this.line += 1;
    this.moves.length = this.#tried;
    this.showing.hidden = true;
  }

  #offer(bots) {
    this.bots.hidden = !bots.length || this.finished;
    this.alone.hidden = bots.length > 0 || this.finished;
    if (this.bot.options.length === bots.length) return;
    this.bot.replaceChildren(...bots.map((name) => new Option(name[0].toUpperCase() + name.slice(1), name)));
  }

  #draw({ refused, legal }) {
    const { view, seats } = this.page;
    view.render({ duration: STEP_MS });
    seats.show(this.table, this.base);
    this.page.tried(this.table, this.#tried, this.finished);
    this.page.unseen?.show(this.table);
    this.page.address.write(this.page.ply, this.moves);
    this.#list(legal);
    this.#say(refused || this.#invitation());
  }

  #invitation() {
    const { names } = this.page;
    const isYou = this.table.turn === names.you;
    const count = this.moves.length;
    if (this.finished) {
      const over = ngettext("The game is over, {count} move after you took over.", "The game is over, {count} moves after you took over.", count);
      return `${this.#ending()} ${over}`;
    }
    const tried = count ? `${ngettext("{count} move tried.", "{count} moves tried.", count)} ` : "";
    const how = isYou
      ? gettext("Your move: tap a pile and then where its card should go, or choose a move.")
      : gettext("You play for {player}: tap a pile and then where its card should go, or choose a move.", { player: names[this.table.turn] });
    return tried + how;
  }

  /** Who won the game as it was played on: whoever has no card left, or nobody. */
  #ending() {
    const seats = Array.from({ length: this.table.players }, (_, seat) => seat);
    const left = seats.map((seat) => this.table.left(seat));
    const out = seats.filter((seat) => !left[seat]);
    const { heading, sentence } = resultWords({ termination: "win", ranking: [out, seats.filter((seat) => left[seat])], left }, this.page.names);
    return out.length ? `${heading}. ${sentence}` : `${resultWords({ termination: "passes", ranking: [seats] }, this.page.names).heading}.`;
  }

  #say(words) {
    this.words.textContent = words;
  }

  /** The pile that a move starts from, and the piles it may end on. */
  #ends(move) {
    const { turn, players } = this.table;
    const source = sourcePile(move, turn);
    const id = source ? this.table.top(source) : undefined;
    const suit = id === undefined ? "" : this.table.cards[id].face[1];
    return { source, targets: targetPiles(move, turn, suit, players) };
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
    if (this.table.pile("x").length) {
      this.play(moveBetween("x", name, turn));
    } else if (this.chosen === null && name === `h${turn}`) {
      this.play("draw");
    } else if (this.chosen === null) {
      this.#choose(name);
    } else if (this.chosen === name) {
      this.chosen = null;
      this.#mark();
    } else {
      this.play(moveBetween(this.chosen, name, turn));
    }
  }

  #choose(name) {
    const own = pileOf(name).kind !== "foundation" && isOwn(name, this.table.turn);
    if (!own || !this.table.pile(name).length) {
      this.#say(own ? gettext("There is no card to move there.") : gettext("You can play only from the houses and your own piles."));
      return;
    }
    this.chosen = name;
    this.#mark();
  }
}
