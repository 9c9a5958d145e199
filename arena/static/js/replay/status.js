/** The panel beside the table: a running game's state, or how the game ended and why. */

import { STOP, pointsOf } from "arena/ticks/tick";
import { clockWords, resultWords, timeWords } from "arena/replay/words";
import { write } from "arena/replay/writing";
import { gettext, ngettext } from "arena/words";

const LIVE_WORDS = {
  connecting: gettext("Connecting…"),
  live: gettext("Being played"),
  waiting: gettext("Connection lost. Reconnecting…"),
  finished: gettext("Finished"),
};

function line(parent, name, className, text) {
  const node = document.createElement(name);
  if (className) node.className = className;
  node.textContent = text;
  parent.append(node);
  return node;
}

export class StatusPanel {
  /**
   * @param {() => boolean} known whether the visitor may see how the game ended
   * @param {boolean} mayHide whether that is a choice of theirs
   */
  constructor(panel, timeline, names, known, mayHide) {
    this.known = known;
    this.mayHide = mayHide;
    this.panel = panel;
    /** @type {HTMLElement|null} where it is told why the game ended as it did */
    this.why = panel.parentElement.querySelector("[data-why]");
    this.timeline = timeline;
    this.names = names;
    this.state = null;
    this.shown = null;
    /** What the panel of a game that is on shows: the table, and how many events it has seen. */
    this.table = undefined;
    this.count = 0;
    /** @type {{row: HTMLTableRowElement, counts: {cell: HTMLElement, pile: string}[], clock: HTMLElement}[] | undefined} */
    this.cells = undefined;
  }

  live(state) {
    this.state = state;
    this.show();
  }

  show() {
    const result = this.timeline.result;
    const key = !result ? `${this.state}` : this.known() ? "result" : "hidden";
    if (key === this.shown && !this.timeline.fault) return;
    this.shown = key;
    this.panel.replaceChildren();
    if (key === "hidden") this.#hidden();
    else if (result) this.#result(result);
    else this.#running();
    if (this.timeline.fault) line(this.panel, "p", "alert", this.timeline.fault);
  }

  #running() {
    const chip = line(this.panel, "p", "chip chip--quiet", LIVE_WORDS[this.state] ?? gettext("Not finished"));
    chip.dataset.livestate = this.state ?? "";
    const words = this.state === "live" ? gettext("You can step back at any time. Press End to go to the latest move.") : "";
    if (!this.timeline.head.inTicks) this.panel.append(this.#seats());
    if (words) line(this.panel, "p", "small muted", words);
    this.follow();
  }

  /** A line for each seat of a game that is on: what it still has to get rid of, and its clock. */
  #seats() {
    const piles = [["r", gettext("Reserve")], ["h", gettext("Hand")], ["d", gettext("Discard")]]
      .filter(([letter]) => letter !== "r" || this.timeline.head.hasReserve);
    const table = document.createElement("table");
    table.className = "results";
    const head = table.createTHead().insertRow();
    for (const title of [gettext("Player"), ...piles.map(([, words]) => words), gettext("Clock")]) line(head, "th", "", title).scope = "col";
    const body = table.createTBody();
    this.cells = this.names.map((name, seat) => {
      const row = body.insertRow();
      line(row, "th", "", name).scope = "row";
      const counts = piles.map(([letter]) => ({ cell: line(row, "td", "", ""), pile: letter + seat }));
      return { row, counts, clock: line(row, "td", "", "") };
    });
    return table;
  }

  /**
   * The panel of a game that is on follows the table shown.
   * @param {import("arena/replay/table").Table} [table]
   * @param {number} [count] of events that it has seen
   */
  follow(table = this.table, count = this.count) {
    Object.assign(this, { table, count });
    if (!table || !this.cells?.[0].row.isConnected) return;
    const { clocks } = this.timeline.at(count);
    this.cells.forEach(({ row, counts, clock }, seat) => {
      for (const { cell, pile } of counts) write(cell, String(table.pile(pile).length));
      write(clock, clockWords(clocks?.[seat]));
      row.classList.toggle("is-turn", table.turn === seat);
    });
  }

  /** Says why the game ended as it did, with a button that plays the better line where there is one. */
  explain(words, play = null) {
    if (!this.why) return;
    this.why.hidden = false;
    this.why.replaceChildren();
    line(this.why, "p", "", words);
    if (!play) return;
    const button = line(this.why, "button", "btn btn--small", gettext("Play the better line"));
    button.type = "button";
    button.addEventListener("click", play);
  }

  #hidden() {
    line(this.panel, "p", "muted", gettext("The result shows once you have watched the game."));
    const button = line(this.panel, "button", "btn", gettext("Show result"));
    button.type = "button";
    button.dataset.do = "result";
  }

  #result(result) {
    const { heading, sentence } = resultWords(result, this.names);
    const title = line(this.panel, "h2", "", heading);
    title.dataset.result = result.termination;
    line(this.panel, "p", "", sentence);
    this.panel.append(this.#table(result));
    const plies = result.plies ?? this.timeline.at(this.timeline.length).ply;
    const { inTicks } = this.timeline.head;
    line(this.panel, "p", "small muted", inTicks ? this.#ticks(plies, result) : this.#plies(plies));
    if (!this.mayHide) return;
    const button = line(this.panel, "button", "linklike small", gettext("Hide results"));
    button.type = "button";
    button.dataset.do = "result";
  }

  #plies(plies) {
    return gettext("{plies} plies in {turns} turns.", { plies, turns: this.timeline.turns.length });
  }

  /** How long a game in ticks was, and how its points came about if a seat gave it away. */
  #ticks(count, { seat }) {
    const length = ngettext("{count} tick.", "{count} ticks.", count);
    if (seat === null) return length;
    return `${length} ${gettext("A player who forfeits gets no points, and the other gets the points for the stop.")}`;
  }

  /** A line for each seat: cards left, points where the game has them, clock, computing time. */
  #table(result) {
    const clocks = this.timeline.at(this.timeline.length).clocks;
    const lefts = this.timeline.at(this.timeline.length).left;
    const signed = (value) => String(value).replace("-", "−");
    const points = this.names.map((_, seat) => (this.timeline.head.inTicks ? pointsOf(this.timeline.head, seat) : null));
    /** @typedef {[string, (seat: number) => any]} Column */
    const columns = points[0] ? /** @type {Column[]} */ ([
      [gettext("Cards"), (seat) => points[seat].cards],
      [gettext("Completed"), (seat) => points[seat].foundations],
      [gettext("Stop"), (seat) => (result.seat === 1 - seat ? STOP : points[seat].stop)],
      [gettext("Points"), (seat) => signed(result.points[seat])],
    ]) : /** @type {Column[]} */ ([
      [gettext("Left"), (seat) => lefts[seat]],
      ...(result.points?.some(Boolean) ? [[gettext("Points"), (seat) => signed(result.points[seat])]] : []),
      ...(clocks ? [[gettext("Clock"), (seat) => clockWords(clocks[seat])]] : []),
      ...(result.cpu_ms?.length ? [["CPU", (seat) => timeWords(result.cpu_ms[seat]) || "0 ms"]] : []),
    ]);
    const table = document.createElement("table");
    table.className = "results";
    const head = table.createTHead().insertRow();
    for (const title of [gettext("Player"), ...columns.map(([name]) => name)]) {
      line(head, "th", "", title).scope = "col";
    }
    const body = table.createTBody();
    this.names.forEach((name, seat) => {
      const row = body.insertRow();
      line(row, "th", "", name).scope = "row";
      for (const [, value] of columns) line(row, "td", "", value(seat));
    });
    return table;
  }
}
