/** A table that somebody watches: its viewer, a true label, how many watch, and at which pace it goes. */

import { remember, remembered } from "arena/choices";
import { Played, labelOf } from "arena/broadcast/age";
import { Socket } from "arena/live/socket";
import { ReplayPage } from "arena/replay/page";
import { resultWords } from "arena/replay/words";
import { write } from "arena/replay/writing";
import { drawn } from "arena/soon";
import { ngettext } from "arena/words";

const LOOK_MS = 500;
/** So long the end of a game stays on its table. */
const LINGER_MS = 12_000;

/** @returns {"broadcast"|"now"} how this visitor watches games */
export function pace() {
  return remembered("watch-pace", "broadcast") === "now" ? "now" : "broadcast";
}

/** Binds the buttons that choose it; `onChange` is told the choice. */
export function bindPace(root, onChange) {
  const group = root?.querySelector("[data-pace]");
  if (!group) return;
  const show = () => {
    for (const button of group.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.mode === pace()));
  };
  group.addEventListener("click", (/** @type {MouseEvent & {target: Element}} */ { target }) => {
    const { mode } = target.closest("button")?.dataset ?? {};
    if (!mode) return;
    remember("watch-pace", mode);
    show();
    drawn().then(() => mode === pace() && onChange(mode));
  });
  show();
}

export class Cast {
  /**
   * @param {HTMLElement} root [data-cast] with a viewer inside
   * @param {{offset?: number, isBeside?: boolean, isAsked?: boolean, atEnd?: boolean, onOver?: (cast: Cast) => void}} [options]
   *   offset: by how many milliseconds the server's clock is before this one; isBeside: whether it is one of the small
   *   tables beside the large one, which do without motion where the device draws slowly; isAsked: whether the visitor
   *   asked for this game, and not for whatever is on; atEnd: whether it begins at its end; onOver: told when the end of
   *   the game is shown first
   */
  constructor(root, { offset = 0, isBeside = false, isAsked = false, atEnd = false, onOver } = {}) {
    this.onOver = onOver;
    this.root = root;
    this.game = root.dataset.game;
    this.offset = offset;
    this.lost = false;
    this.wasOver = isAsked && Boolean(root.dataset.finished);
    this.overSince = null;
    /** @type {HTMLElement|null} what a stage says once its game is over */
    this.ending = isBeside ? null : root.querySelector("[data-end]");
    const time = (name) => (root.dataset[name] ? Date.parse(root.dataset[name]) - offset : null);
    this.played = new Played({ started: time("started"), finished: time("finished") });
    /** @type {HTMLElement} */
    this.label = root.querySelector("[data-label]");
    this.page = new ReplayPage(/** @type {HTMLElement} */ (root.querySelector("[data-viewer]")), {
      onTell: () => this.show(),
      onEvents: () => this.#grew(),
      onLine: (state) => this.#line(state),
      startedAt: time("started"),
      isBeside,
      atEnd,
    });
    this.timer = setInterval(() => this.show(), LOOK_MS);
    this.#listen();
  }

  async open() {
    await this.page.open();
    this.setPace(pace(), { first: true });
  }

  close() {
    clearInterval(this.timer);
    this.audience.close();
    this.page.close();
  }

  /** Goes on at this pace; real time is at the newest event at once. */
  setPace(mode, { first = false } = {}) {
    const { transport } = this.page;
    if (!transport) return;
    transport.hurries = mode === "now";
    if (mode === "now" && !first && this.isRunning) transport.toEnd();
    this.show();
  }

  get isRunning() {
    return Boolean(this.page.timeline && !this.page.timeline.result);
  }

  /** Whether its game was over long ago: a game of now may take its place at once. */
  get isReplay() {
    return ["replay", "over"].includes(this.kind);
  }

  /** Milliseconds until the next game may take its place: none is waited for while somebody reads or chooses. */
  get left() {
    if (this.page.isGone) return 0;
    if (this.overSince === null) return Number.POSITIVE_INFINITY;
    if (this.ending?.matches(":hover, :focus-within") || this.root.querySelector("dialog[open]")) this.overSince = performance.now();
    return Math.max(0, LINGER_MS - (performance.now() - this.overSince));
  }

  /** Whether the end of its game has been shown for long enough. */
  get isDone() {
    return this.left === 0;
  }

  #listen() {
    /** @type {HTMLElement} */
    const watching = this.root.querySelector("[data-watching]");
    this.audience = new Socket(this.root.dataset.audience, {
      onMessage: ({ count }) => {
        watching.hidden = !count;
        write(watching.querySelector(":scope > span"), ngettext("{count} watching", "{count} watching", count));
      },
    });
    this.audience.connect();
  }

  #grew() {
    const { timeline } = this.page;
    if (timeline.result) this.played.end();
    this.played.grew(timeline.length);
    this.show();
  }

  #line(state) {
    this.lost = state === "waiting";
    this.show();
  }

  #over() {
    const { onOver } = this;
    this.onOver = undefined;
    onOver?.(this);
  }

  /** Says how the game ended, and what one can do with it. */
  #end(atEnd) {
    const { result } = this.page.timeline;
    this.ending.hidden = !atEnd;
    if (!atEnd) return;
    const { heading, sentence } = resultWords(result, this.page.names);
    write(this.ending.querySelector("[data-end-words]"), `${heading}. ${sentence}`);
    /** @type {HTMLElement} */
    const why = this.ending.querySelector("[data-end-why]");
    why.hidden = (result.ranking?.length ?? 0) < 2;
  }

  /** Rewrites the label, which ages by itself. */
  show() {
    const { timeline, transport } = this.page;
    if (!transport) return;
    const { count } = transport;
    const when = this.played.at(count, timeline.length);
    const atEnd = Boolean(timeline.result && transport.atEnd);
    const { kind, words } = labelOf({
      age: when === null ? null : Math.max(0, Date.now() - when),
      running: this.isRunning,
      newest: this.isRunning && transport.atEnd && timeline.length > 0,
      atEnd,
      lost: this.lost,
      wasOver: this.wasOver,
    });
    this.overSince = atEnd ? (this.overSince ?? performance.now()) : null;
    if (atEnd === this.ending?.hidden) this.#end(atEnd);
    if (atEnd || this.page.isGone) this.#over();
    if (kind !== this.kind) {
      this.kind = kind;
      this.label.dataset.kind = kind;
      this.label.classList.toggle("chip--live", kind === "live");
      this.label.classList.toggle("chip--quiet", kind !== "live");
    }
    write(this.label, words);
  }
}
