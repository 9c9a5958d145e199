/** What stands below the table: whose turn it is, what was refused, and the buttons. */

import { PersonClock } from "arena/play/clock";
import { showEnding } from "arena/play/ending";
import { Hints } from "arena/play/hints";
import { legalButtons } from "arena/replay/legal";
import { bindLooks } from "arena/replay/looks";
import { remember, remembered } from "arena/choices";
import { openSoon } from "arena/soon";
import { gettext } from "arena/words";

const PATIENCE_MS = 500;

const WAITING = {
  bot: (name) => gettext("{bot} is thinking.", { bot: name }),
  poll: (name) => gettext("{bot} may call stop.", { bot: name }),
  window: (name) => gettext("{bot} has moved. Do you call stop?", { bot: name }),
};

export class Bar {
  /** @param {import("arena/play/page").PlayPage} page */
  constructor(page) {
    this.page = page;
    const find = (selector) => page.root.querySelector(selector);
    this.status = find("[data-status]");
    this.reason = find("[data-reason]");
    this.legal = find("[data-legal]");
    this.window = find("[data-window]");
    this.clock = new PersonClock(find(`.seat[data-seat="${page.seat}"] [data-clock]`));
    this.buttons = Object.fromEntries([...page.root.querySelectorAll("[data-do]")].map((node) => [node.dataset.do, node]));
    this.hints = new Hints(page);
    this.pace = this.#choice("pace");
    this.patience = this.#choice("patience");
    page.root.addEventListener("click", (event) => this.#clicked(event));
    bindLooks(page.root, page.view);
  }

  #choice(name) {
    const select = this.page.root.querySelector(`[data-choice="${name}"]`);
    if (!select) return null;
    const value = remembered(`play-${name}`, select.value);
    if ([...select.options].some((option) => option.value === value)) select.value = value;
    select.addEventListener("change", () => {
      remember(`play-${name}`, select.value);
      if (name === "patience") this.#await();
    });
    return select;
  }

  /** Milliseconds between two of the opponent's moves. */
  get showMs() {
    return Number(this.pace.value);
  }

  /** @returns {Record<string, () => any>} what buttons do, by their names */
  actions() {
    const { page } = this;
    return {
      undo: () => page.act({ do: "undo" }),
      stop: () => page.act({ do: "stop" }),
      go: () => page.act({ do: "go" }),
      offer: () => page.act({ do: "offer" }),
      accept: () => page.act({ do: "accept" }),
      decline: () => page.act({ do: "decline" }),
      resign: () => openSoon(page.root.querySelector('[data-sheet="resign"]')),
      surrender: () => page.act({ do: "resign" }),
      pass: () => page.play("pass"),
      hint: () => this.hint(),
      settings: () => openSoon(page.root.querySelector('[data-sheet="settings"]')),
      help: () => openSoon(page.root.querySelector('[data-sheet="help"]')),
    };
  }

  /** @returns {Record<string, () => any>} keys and what they do */
  keys() {
    const { page } = this;
    const { undo, stop, go, pass, hint, help } = this.actions();
    return {
      u: undo, s: stop, g: go, p: pass, h: hint, "?": help,
      d: () => page.play(page.drawn ? "h-d" : "draw"),
      f: () => page.toFoundation(),
      Escape: () => page.tap(null),
    };
  }

  #clicked(event) {
    const move = event.target.closest("[data-move]");
    if (move) this.page.play(move.dataset.move);
    const button = event.target.closest("[data-do]");
    if (button && button.getAttribute("aria-disabled") !== "true") this.actions()[button.dataset.do]();
  }

  /** A sentence about what was tried, and whether it was wrong; nothing clears it. */
  say(words, wrong = false) {
    this.reason.textContent = words ?? "";
    this.reason.classList.toggle("is-wrong", wrong);
  }

  /** Shows whose turn it is and what may be done. */
  show(state) {
    const { awaits, offer, undo, trouble } = state;
    const bot = this.page.names[1 - this.page.seat];
    const mine = awaits === "person";
    const drawn = this.page.drawn;
    this.state = state;
    this.hints.restart();
    if (mine) this.tell(drawn ? gettext("You drew {card}. Where should it go?", { card: drawn }) : gettext("Your move."));
    else if (trouble) this.tell(gettext("{bot} is not responding. We ask it again every few seconds. Your game is safe.", { bot }));
    else this.tell(WAITING[awaits]?.(bot) ?? "", awaits === "poll" ? PATIENCE_MS : 0);
    this.able("undo", mine && !undo);
    this.able("hint", mine);
    this.able("pass", mine && state.legal.some(({ move }) => move === "pass"));
    this.able("offer", mine && offer === null);
    this.able("go", awaits === "window");
    const offered = offer === 1 - this.page.seat;
    this.page.root.querySelector("[data-offered]").hidden = !offered;
    this.moves(state.legal);
    this.#await();
  }

  /** Whose turn it is; what is over in a moment is not told. */
  tell(words, delay = 0) {
    clearTimeout(this.telling);
    const tell = () => {
      if (this.status.textContent !== words) this.status.textContent = words;
    };
    if (delay) this.telling = setTimeout(tell, delay);
    else tell();
  }

  /** After an answer of the server: what was refused may be tried again. */
  ready() {
    if (this.state && this.page.board.idle) this.#await();
  }

  able(name, can) {
    this.buttons[name]?.setAttribute("aria-disabled", !can);
  }

  moves(legal) {
    this.legal.replaceChildren(...legalButtons(legal, this.page.board.table, this.page.names));
  }

  /** Lets the opponent go on when the time for calling stop is over, unless the person wants to be asked. */
  #await() {
    clearTimeout(this.timer);
    if (!this.window) return;
    const open = this.state.awaits === "window" && this.page.board.idle;
    const patience = Number(this.patience.value);
    this.window.classList.toggle("is-open", open && patience > 0);
    if (!open || !patience) return;
    this.window.style.setProperty("--patience", `${patience}ms`);
    this.#count(performance.now() + patience);
    this.timer = setTimeout(() => {
      if (this.page.state.awaits === "window") this.page.act({ do: "go" });
    }, patience);
  }

  /** How many seconds are left for calling stop, in words: who wants no motion sees no bar. */
  #count(until) {
    const left = Math.ceil((until - performance.now()) / 1000);
    const open = this.window.classList.contains("is-open") && left > 0;
    this.window.firstElementChild.textContent = open ? `${gettext("Continue")} (${left})` : gettext("Continue");
    clearTimeout(this.counting);
    if (open) this.counting = setTimeout(() => this.#count(until), 250);
  }

  /** The next step of a hint. */
  async hint() {
    if (this.state?.awaits === "person") await this.hints.next();
  }

  over(ending) {
    // Who won is the heading of what comes now.
    this.tell(gettext("The game is over."));
    this.say("");
    showEnding(this.page.root, ending);
  }
}
