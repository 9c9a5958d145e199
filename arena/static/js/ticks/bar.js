/** What stands below the table of the game in ticks: the tick and its time, what was chosen, and the buttons. */

import { remember, remembered } from "arena/choices";
import { showEnding } from "arena/play/ending";
import { Hints } from "arena/play/hints";
import { bindLooks } from "arena/replay/looks";
import { openSoon } from "arena/soon";
import { decimal, gettext } from "arena/words";

/** How long a tick's cards travel; where many wait to be shown, as in a second window, they hurry. */
const SHOW_MS = 520;
const HURRY_MS = 40;
const MANY = 3;
/** So long after a tick's end the page says so: the server's clock may be a little behind. */
const MARGIN_MS = 60;
const LOOK_MS = 100;
const AGAIN_MS = 1500;
const UNHURRIED = ["turn", "wait"];

export class TickBar {
  /** @param {import("arena/ticks/play").TickPlay} page */
  constructor(page) {
    this.page = page;
    const find = (selector) => page.root.querySelector(selector);
    this.status = find("[data-status]");
    this.reason = find("[data-reason]");
    this.left = find("[data-tick-left]");
    this.fill = find("[data-tick-fill]");
    this.go = find('[data-do="go"]');
    this.stop = find('[data-do="stop"]');
    this.pace = find('[data-choice="pace"]');
    this.pace.addEventListener("change", () => page.act({ do: "pace", ms: Number(this.pace.value) }));
    this.auto = find('[data-option="auto"]');
    this.auto.checked = remembered("ticks-auto", "") === "1";
    this.auto.addEventListener("change", () => {
      remember("ticks-auto", this.auto.checked ? "1" : "");
      this.#turnAlone();
    });
    page.root.addEventListener("click", (event) => this.#clicked(event));
    bindLooks(page.root, page.view);
    this.hints = new Hints(page);
    this.hinted = null;
    this.until = null;
    this.closed = null;
    this.turned = null;
    setInterval(() => this.#look(), LOOK_MS);
  }

  get showMs() {
    const { log, shown } = this.page.board;
    return log.length - shown > MANY ? HURRY_MS : SHOW_MS;
  }

  actions() {
    const { page } = this;
    const sheet = (name) => openSoon(page.root.querySelector(`[data-sheet="${name}"]`));
    return {
      stop: () => page.choose("stop"),
      wait: () => page.choose("wait"),
      turn: () => page.choose("turn"),
      hint: () => this.hint(),
      go: () => page.act({ do: page.state.paused ? "go" : "pause" }),
      resign: () => sheet("resign"),
      surrender: () => page.act({ do: "resign" }),
      settings: () => sheet("settings"),
      help: () => sheet("help"),
    };
  }

  /** Keys and what they do. */
  keys() {
    const { page } = this;
    const { stop, wait, turn, hint, go, help } = this.actions();
    const slots = [1, 2, 3, 4].map((slot) => [String(slot), () => page.choose(`s${slot}-f`)]);
    return {
      ...Object.fromEntries(slots),
      r: () => page.choose("r-f"),
      d: () => page.choose("d-f"),
      t: turn, s: stop, h: hint, p: go, "?": help,
      " ": () => (page.state.paused ? go() : wait()),
    };
  }

  /** The next step of a hint for the open tick. */
  async hint() {
    const { result, tick } = this.page.state ?? {};
    if (!this.page.state || result) return;
    if (this.hinted !== tick) this.hints.restart();
    this.hinted = tick;
    await this.hints.next();
  }

  #clicked(event) {
    const button = event.target.closest("[data-do]");
    if (button && button.getAttribute("aria-disabled") !== "true") this.actions()[button.dataset.do]();
  }

  /** A sentence about what was tried, and whether it was wrong. */
  say(words, wrong = false) {
    this.reason.textContent = words ?? "";
    this.reason.classList.toggle("is-wrong", wrong);
  }

  /** Takes the time of the open tick in, as the server says it. */
  time({ left_ms: left, tick_ms: pace, result }) {
    this.until = left === null || result ? null : performance.now() + left;
    this.pace.value = String(pace);
    this.fill.getAnimations().forEach((running) => running.cancel());
    const share = Math.min(1, left / pace);
    if (this.until !== null && left > 0) {
      this.fill.animate([{ transform: `scaleX(${share})` }, { transform: "scaleX(0)" }], { duration: left, fill: "forwards" });
    }
    this.#count();
  }

  /** Shows the tick and what is awaited in it. */
  show(state) {
    const { result, paused } = state;
    if (result) return;
    this.status.textContent = this.#words(state);
    this.go.textContent = paused ? (state.length ? gettext("Continue") : gettext("Start")) : gettext("Pause");
    this.go.classList.toggle("btn--primary", paused);
    this.stop.setAttribute("aria-disabled", String(!state.legal.includes("stop")));
    this.page.root.classList.toggle("is-paused", paused);
    this.page.mark();
    this.#turnAlone();
  }

  #words({ paused, chosen, awaits, tick, trouble, length }) {
    const bot = this.page.names[1 - this.page.seat];
    if (trouble) return gettext("{bot} is not responding. We ask it again every few seconds, and the tick waits.", { bot });
    if (paused && !length) return gettext("Ready? Press Start to begin the first tick.");
    if (paused) return gettext("Paused in tick {number}. Press Continue when you are ready.", { number: tick + 1 });
    const first = tick % 2 === this.page.seat ? gettext("Your card goes first.") : gettext("{bot}’s card goes first.", { bot });
    if (chosen && awaits === "bot") {
      const words = this.page.words(chosen);
      return gettext("Tick {number}: {words}. {bot} is choosing.", { number: tick + 1, words, bot });
    }
    return `${gettext("Tick {number}: your choice.", { number: tick + 1 })} ${first}`;
  }

  /** Turns a card up where nothing else can be played, if the person wants that. */
  #turnAlone() {
    const { state } = this.page;
    const dull = state.legal.includes("turn") && state.legal.every((action) => UNHURRIED.includes(action));
    const can = this.auto.checked && dull && !state.paused && !state.chosen && !state.result;
    if (!can || this.turned === state.tick) return;
    this.turned = state.tick;
    this.page.choose("turn");
  }

  #look() {
    this.#count();
    const { state } = this.page;
    if (this.until === null || !state || state.chosen || this.closed === state.tick) return;
    if (performance.now() < this.until + MARGIN_MS) return;
    this.#close(state.tick);
  }

  /** Says that a tick's time is up; again after a while if that did not reach the server. */
  async #close(tick) {
    this.closed = tick;
    try {
      await this.page.client.act({ do: "close", tick });
      this.closed = null;
    } catch {
      setTimeout(() => {
        this.closed = null;
      }, AGAIN_MS);
    }
  }

  /** The time that is left, in words: who wants no motion sees no bar. */
  #count() {
    const left = this.until === null ? null : Math.max(0, this.until - performance.now());
    const words = left === null ? "" : `${decimal(left / 1000)} s`;
    if (this.left.textContent !== words) this.left.textContent = words;
  }

  over(ending) {
    this.status.textContent = gettext("The game is over.");
    this.until = null;
    this.#count();
    this.say("");
    showEnding(this.page.root, ending);
  }
}
