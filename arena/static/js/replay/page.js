/** One viewer on a page: fetches the record and connects timeline, transport, view, controls and live source. */

import { LiveGame } from "arena/live/game";
import { Address } from "arena/replay/address";
import { Arrows } from "arena/replay/arrows";
import { remember, remembered } from "arena/choices";
import { Calm } from "arena/replay/calm";
import { bindControls } from "arena/replay/controls";
import { bindKeys } from "arena/replay/keyboard";
import { eventsOf } from "arena/replay/columns";
import { bindPiles } from "arena/replay/piles";
import { ScrubBar } from "arena/replay/scrub";
import { Sound } from "arena/replay/sound";
import { Seats } from "arena/replay/seats";
import { settledValues, swingsOf } from "arena/replay/swings";
import { Timeline } from "arena/replay/timeline";
import { FAR, Transport } from "arena/replay/transport";
import { View } from "arena/replay/view";
import { WinBar } from "arena/replay/winbar";
import { commentaryAt } from "arena/replay/commentary";
import { commentsOf } from "arena/replay/said";
import { namesWithYou, resultWords, spokenWords, toldWords } from "arena/replay/words";
import { write } from "arena/replay/writing";
import { drawn } from "arena/soon";
import { answered } from "arena/thought";
import { gettext, ngettext } from "arena/words";

/** A running game that began longer ago is joined where it is, a younger one is shown from its start. */
const YOUNG_MS = 20_000;

export class ReplayPage {
  /**
   * @param {HTMLElement} root
   * @param {{onTell?: () => void, onEvents?: () => void, onLine?: (state: string) => void, startedAt?: number|null,
   *   isBeside?: boolean, atEnd?: boolean}} [watcher]
   *   onTell: another place of the game is shown; onEvents: more of it was played; onLine: how its websocket does;
   *   startedAt: when it began, by this computer's clock; isBeside: whether it is beside a larger table;
   *   atEnd: whether a game that is over is shown from its end
   */
  constructor(root, watcher = {}) {
    this.watcher = watcher;
    this.root = root;
    /** @type {HTMLElement} */
    this.felt = root.querySelector("[data-felt]");
    this.compact = root.classList.contains("viewer--compact");
    /** Whether games come and go here one after the other, each shown once. */
    this.isStage = "stage" in root.dataset;
    this.where = root.querySelector("[data-where]");
    this.commentary = root.querySelector("[data-commentary]");
    this.sound = new Sound(root);
    /** Whether nothing is told that the game shown has not come to yet; at a stage this holds for every game. */
    this.hides = "hides" in root.dataset && (this.compact || remembered("results", "hidden") !== "shown");
    this.words = new Calm(() => this.#tell(), 60);
    /** Whether the table is drawn soon, as `how` says then. */
    this.drawing = false;
    this.how = {};
    this.ended = new AbortController();
    this.address = new Address(!this.compact);
    /** Whether the game ended without a result. */
    this.isGone = false;
    this.find = (selector) => root.querySelector(selector);
  }

  async open() {
    try {
      const record = await this.#fetchRecord();
      // A running game comes whole over its websocket, from one attempt to play it.
      if (!record.result && this.root.dataset.live) record.events = [];
      await this.#build(record);
    } catch (error) {
      console.warn(error);
      this.#broken(`${gettext("This game could not be shown.")} ${error.message}`);
    }
  }

  async #fetchRecord() {
    const response = await fetch(this.root.dataset.record, { headers: { Accept: "application/json" } });
    if (!response.ok) throw new Error(gettext("The server answered {status}.", { status: response.status }));
    const record = await response.json();
    if (record.columns) record.events = eventsOf(record.columns);
    return record;
  }

  /** Shows a record that is here already, in place of fetching one. */
  async show(record) {
    try {
      await this.#build(record);
    } catch (error) {
      console.warn(error);
      this.#broken(`${gettext("This game could not be shown.")} ${error.message}`, null);
    }
  }

  /** Ends playing and listening: the viewer is about to go. */
  close() {
    this.ended.abort();
    this.address.stop();
    this.transport?.pause();
    this.source?.close();
    this.view?.close();
  }

  #veil(words) {
    const veil = this.find("[data-veil]");
    veil.hidden = !words;
    veil.firstElementChild.textContent = words ?? "";
  }

  /** Says what is wrong in place of the table, and how to go on. */
  #broken(words, comfort = gettext("The game itself is safe on the server.")) {
    this.#veil(words);
    this.root.classList.add("is-broken");
    this.find("[data-status]")?.replaceChildren(comfort ?? "");
    if (comfort === null) return;
    const again = document.createElement("button");
    again.type = "button";
    again.className = "btn";
    again.textContent = gettext("Try again");
    again.addEventListener("click", () => location.reload());
    this.find("[data-veil]").append(again);
  }

  async #build(record) {
    this.record = record;
    const names = record.seats.map((seat, index, all) => {
      const twins = all.filter(({ bot }) => bot === seat.bot).length > 1;
      return twins ? `${seat.bot} (${index + 1})` : seat.bot;
    });
    const { you } = this.root.dataset;
    /** @type {import("arena/replay/words").Names} */
    this.names = you === undefined ? names : namesWithYou(names, Number(you));
    this.timeline = new Timeline(record);
    const panels = [.../** @type {NodeListOf<HTMLElement>} */ (this.felt.querySelectorAll(".seat"))];
    const { deck, bottom = 0 } = this.root.dataset;
    this.view = new View(this.felt, { deck, panels, names: this.names, bottom: Number(bottom), own: you !== undefined, isBeside: this.watcher.isBeside });
    this.seats = new Seats(panels, this.timeline);
    this.transport = new Transport(this.timeline, {
      onShow: (change) => this.#show(change),
      onState: () => {
        this.#state();
        this.words.call();
      },
    });
    const scrub = this.find("[data-scrub]");
    // A stage has none: nobody can tell how far a game is that is on.
    this.scrub = scrub && new ScrubBar(
      { canvas: scrub.querySelector("canvas"), range: scrub.querySelector("input"), tip: scrub.querySelector("[data-tip]") },
      this.timeline,
      (count) => this.transport.seek(count, { duration: 0 }),
      (event) => toldWords(event, this.names),
      () => ({ reach: this.reach, seen: this.knows ? this.timeline.length : this.transport.furthest }),
    );
    this.arrows = new Arrows(this.view);
    /** @type {HTMLElement|null} */
    const bar = this.find("[data-winbar]");
    this.winbar = bar && new WinBar(bar, this.timeline, this.names);
    if (!this.compact) await this.#side();
    bindPiles(this);
    this.explorer = this.root.dataset.explore ? new (await import("arena/replay/explore")).Explorer(this) : null;
    this.controls = bindControls(this);
    // Of several viewers on a page none takes the keys: nobody could say which was meant.
    if (document.querySelectorAll("[data-viewer]").length === 1) bindKeys(this.transport, this.controls, this.ended.signal);
    await this.view.show(this.transport.table);
    this.felt.dataset.ready = "";
    this.#veil(null);
    this.#grow();
    this.#begin();
    if (this.timeline.result) {
      this.expected = this.#expect();
      this.deep?.open();
      this.#asked();
    }
  }

  /** What a link to this page asks of a game that is over. */
  #asked() {
    if (this.compact) return;
    if (location.hash === "#why") this.why();
    if (location.hash === "#try") this.tryIt();
  }

  /** Shows the turn that decided the game, with the better line as arrows. */
  async why() {
    return (await import("arena/replay/decisive")).explain(this);
  }

  /** Plays on from the turn that decided the game. */
  async tryIt() {
    if (await this.why()) this.explorer?.enter();
  }

  /** What stands beside the table: the result, and in tabs the moves, the analysis, and what can be known. */
  async #side() {
    // Pages with tables alone do without them.
    const [{ Analysis }, { MoveList }, { StatusPanel }, { bindTabs }, { Unseen }] = await Promise.all([
      import("arena/replay/analysis"),
      import("arena/replay/movelist"),
      import("arena/replay/status"),
      import("arena/replay/tabs"),
      import("arena/replay/unseen"),
    ]);
    const seek = (count) => this.transport.seek(count);
    this.moves = new MoveList(this.find("[data-moves]"), this.timeline, this.names, seek, () => this.#listed());
    this.status = new StatusPanel(this.find("[data-status]"), this.timeline, this.names, () => this.knows, "hides" in this.root.dataset);
    this.unseen = new Unseen(this.find("[data-panel=unseen]"), this.names);
    const analysis = this.find("[data-panel=analysis]");
    this.analysis = analysis && new Analysis(analysis, this);
    if (analysis && this.root.dataset.deep) {
      const { Deep } = await import("arena/replay/deep");
      this.deep = new Deep(analysis, this, (values) => this.#judged(values));
    }
    this.tabs = bindTabs(this.find("[data-tabs]"), (name) => {
      if (name === "analysis") this.analysis.open();
      if (name === "unseen") this.unseen.show(this.transport.table);
    });
  }

  /** Who was expected to win, all through a finished game; without it the bar shows the cards left alone. */
  async #expect() {
    const address = this.root.dataset.values;
    if (!address) return;
    const response = await answered(() => fetch(address, { headers: { Accept: "application/json" } }), {
      wanted: () => !this.ended.signal.aborted,
    });
    if (!response?.ok) return;
    this.quick = await response.json();
    if (!this.deep?.chosen) this.#evaluate(this.quick);
  }

  /** Shows an evaluation of the whole game from now on, or none. */
  #evaluate(values) {
    /** @type {NodeListOf<HTMLElement>} */
    const panels = this.felt.querySelectorAll("[data-house]");
    const house = [...panels].map(({ dataset }) => Number(dataset.seat));
    const two = values?.win ? settledValues(values, this.timeline, house) : null;
    this.timeline.swing(two ? swingsOf(two) : []);
    this.timeline.win = two?.win ?? null;
    this.winbar?.show(this.transport.count);
    this.scrub?.expect(two ?? values);
    if (two) this.analysis?.expect(two);
  }

  /** Oracle's judgement takes the place of the quick one, or gives it back. */
  #judged(values) {
    if (values || this.quick) this.#evaluate(values ?? this.quick);
    this.analysis.judge(values);
  }

  /** Stands where the address says, at the end of a running game, or at the start. */
  #begin() {
    const { ply } = this.address;
    const running = !this.timeline.result && this.root.dataset.live;
    if (this.watcher.atEnd) this.transport.seek(this.timeline.length, { duration: 0 });
    else if (ply !== null) this.transport.seekPly(ply, { duration: 0 });
    else this.transport.seek(running ? this.timeline.length : 0, { duration: 0 });
    this.begun = true;
    if (!this.compact) window.addEventListener("hashchange", () => this.#addressChanged(), { signal: this.ended.signal });
    if (running) this.#live(this.root.dataset.live);
    else if ("autoplay" in this.root.dataset) this.transport.play();
    const { branch } = this.address;
    if (branch && this.timeline.result) this.explorer?.enter(branch);
  }

  #addressChanged() {
    const { ply } = this.address;
    if (ply !== null && ply !== this.timeline.at(this.transport.count).ply) this.transport.seekPly(ply);
  }

  #live(address) {
    this.source = new LiveGame(address, {
      next: () => this.timeline.nextNumber,
      onEvents: (events) => this.#arrived(events),
      onFinished: () => this.#finished(),
      // What was shown was never accepted: the game started over, and so does the page.
      onRestart: () => location.reload(),
      onState: (state) => {
        this.status?.live(state);
        this.watcher.onLine?.(state);
      },
    });
    this.source.connect();
  }

  /** Whether a game that has been going on for a while is joined where it is. */
  #joinsLate() {
    if (this.timeline.length <= 30) return false;
    return this.transport.hurries || !this.watcher.startedAt || Date.now() - this.watcher.startedAt > YOUNG_MS;
  }

  #arrived(events) {
    const first = !this.timeline.length;
    this.timeline.append(events);
    this.#grow();
    this.watcher.onEvents?.();
    if (first && this.#joinsLate() && this.address.ply === null) {
      this.transport.seek(this.timeline.length - 1, { duration: 0 });
      this.transport.following = true;
    }
    this.transport.grew();
    if (this.timeline.fault) this.source.close();
  }

  /** The game is over: fetches the full record, which also has the cards that nobody saw. */
  async #finished() {
    const record = await this.#fetchRecord().catch(() => null);
    if (!record?.result) {
      // A void game has no end to show, and is none to go on with.
      this.isGone = true;
      this.watcher.onTell?.();
      return;
    }
    this.timeline.append(record.events ?? []);
    this.timeline.result = record.result;
    this.#reveal(record);
    this.watcher.onEvents?.();
    this.#grow();
    this.#state();
    this.expected = this.#expect();
  }

  /** Takes the faces of the full deal into the tables shown, without a card moving. */
  #reveal(record) {
    for (const table of [this.timeline.head, this.transport.table]) table.learnDeal(record.start);
    this.timeline.record = { ...record };
    this.view.render({ duration: 0 });
  }

  /** Whether the visitor knows how the game ended: it was shown, or they asked. */
  get knows() {
    return !this.hides || Boolean(this.timeline.result && this.transport.furthest >= this.timeline.length);
  }

  /** So many events the bar is long: of a game that is on, nobody is told how many there will be. */
  get reach() {
    return this.knows || !this.root.dataset.live ? this.timeline.length : this.transport.furthest;
  }

  /** So many events are listed: of a replay all but how it ended. */
  #listed() {
    if (this.knows) return this.timeline.length;
    return this.root.dataset.live ? this.transport.furthest : this.timeline.length - (this.timeline.events.at(-1)?.type === "end" ? 1 : 0);
  }

  /** Shows how the game ended. */
  reveal() {
    this.hides = false;
    this.#grow();
    this.words.now();
  }

  /** Shows how games ended from now on, or no longer: the choice is kept. */
  toggleResult() {
    remember("results", this.knows ? "hidden" : "shown");
    if (!this.knows) {
      this.reveal();
      return;
    }
    this.hides = true;
    this.transport.furthest = 0;
    this.transport.toStart();
    this.#grow();
  }

  #grow() {
    this.moves?.grow();
    this.scrub?.draw();
    this.scrub?.show(this.transport.count);
    this.scrub?.tell(this.#whereWords());
    this.root.classList.toggle("is-secret", !this.knows);
    this.status?.show();
    if (this.timeline.fault) this.controls.toast(this.timeline.fault);
  }

  /** Each ply is drawn; the words about it follow as fast as they can be read. */
  #show({ duration, from }) {
    const { count } = this.transport;
    this.explorer?.leave();
    this.arrows.clear();
    this.scrub?.show(count);
    this.#render({ duration, hurried: duration === 0 }, Math.abs(count - from) > FAR);
    // Where the page begins, nothing has been played yet.
    if (this.begun) this.sound.moved(this.timeline, from, count);
    this.from = from;
    this.words.call();
  }

  /** Far away nearly every card lies elsewhere: the bar answers first, and the table follows. */
  #render(how, far) {
    this.how = how;
    if (this.drawing) return;
    if (!far || !this.begun) {
      this.view.render(how);
      return;
    }
    this.drawing = true;
    drawn().then(() => {
      this.drawing = false;
      this.view.render(this.how);
    });
  }

  #tell() {
    const { count, table } = this.transport;
    const where = this.#whereWords();
    // Somebody who tries something sees that game's words.
    if (!this.explorer?.active) this.seats.show(table, count);
    this.scrub?.tell(where);
    this.#learned();
    this.moves?.show(count);
    this.unseen?.show(table);
    this.status?.follow(table, count);
    this.#caption(count);
    this.deep?.show(count);
    // What is tried has words, a place and a bar of its own.
    if (!this.explorer?.active) {
      if (this.where) write(this.where, where);
      this.winbar?.show(count);
      this.#comment(count, table);
    }
    this.watcher.onTell?.();
    this.#say(count, this.from);
    if (!this.compact && this.started) this.#writeAddress();
    this.started = true;
    this.#state();
  }

  /**
   * What stands round a table that goes on differently follows that table.
   * @param {import("arena/replay/table").Table} table
   * @param {number} moves tried
   * @param {boolean} [finished]
   */
  tried(table, moves, finished = false) {
    const { ply } = this.timeline.at(this.transport.count);
    write(this.where, ngettext("Ply {ply} and {count} move tried", "Ply {ply} and {count} moves tried", moves, { ply }));
    if (table.players === 2) this.winbar?.try([table.left(0), table.left(1)], finished);
    if (this.commentary) write(this.commentary, moves && table.lastMove ? toldWords(table.lastMove, this.names) : gettext("You try something else from here."));
  }

  /** The line of the turn; where somebody watches, a screen reader hears it when the turn is over. */
  #comment(count, table) {
    if (!this.commentary) return;
    const line = commentaryAt(this.timeline, count, this.names, table);
    write(this.commentary, line);
    const over = count > 0 && this.timeline.notes[count - 1].ended;
    if (this.isStage && over && this.transport.playing && !this.watcher.isBeside) this.find("[data-say]").textContent = line;
  }

  /** More of the game has been seen: what may be told of it follows. */
  #learned() {
    this.scrub?.grow();
    this.moves?.grow();
    this.root.classList.toggle("is-secret", !this.knows);
    this.status?.show();
  }

  /** Without a list of moves the last one is told under the table, with what the bot said to it. */
  #caption(count) {
    const caption = this.find("[data-caption]");
    const event = this.timeline.events[count - 1];
    if (!caption) return;
    if (!event) caption.textContent = gettext("The start of the game.");
    else if (event.type === "end") caption.textContent = resultWords(event.result, this.names).sentence;
    else caption.textContent = [`${toldWords(event, this.names)}.`, ...commentsOf(event).map(([, said]) => said)].join(" ");
  }

  #say(count, from) {
    // A screen reader hears single steps; a running replay would talk without end.
    if (this.transport.playing || Math.abs(count - from) !== 1) return;
    const event = this.timeline.events[count - 1];
    this.find("[data-say]").textContent = event ? spokenWords(event, this.names) : gettext("Start of the game");
  }

  /** The address follows when one stops. */
  #writeAddress() {
    this.address.stop();
    if (this.transport.playing || this.explorer?.active) return;
    this.address.writeSoon(() => this.ply);
  }

  /** The ply that is shown. */
  get ply() {
    return this.timeline.at(this.transport.count).ply;
  }

  #whereWords() {
    const note = this.timeline.at(this.transport.count);
    const turn = this.timeline.turns.length ? note.turn + 1 : 0;
    const count = this.timeline.at(this.timeline.length).ply;
    const { inTicks } = this.timeline.head;
    if (!this.knows && (this.root.dataset.live || this.isStage))
      return inTicks ? gettext("Tick {number}", { number: note.ply }) : gettext("Turn {turn}, ply {ply}", { turn, ply: note.ply });
    if (inTicks) return gettext("Tick {number} of {count}", { number: note.ply, count });
    return gettext("Turn {turn}, ply {ply} of {count}", { turn, ply: note.ply, count });
  }

  #state() {
    this.controls?.state();
  }
}
