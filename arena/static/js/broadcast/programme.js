/**
 * Tables that show one game after the other. The server says which games are worth watching, and tells when another
 * begins; this gives each table its next one.
 */

import { Cast, bindPace, pace } from "arena/broadcast/cast";
import { News } from "arena/live/news";
import { write } from "arena/replay/writing";
import { drawn } from "arena/soon";
import { gettext } from "arena/words";

const LOOK_MS = 500;
/** News may be lost on the way. */
const SILENT_MS = 30_000;

export class Programme {
  /** @param {HTMLElement} root [data-broadcast] with casts inside */
  constructor(root) {
    this.root = root;
    this.next = document.querySelector("[data-next]");
    this.games = [];
    this.seen = new Set();
    this.offset = 0;
    this.busy = false;
    /** @type {Cast[]} in the order of the tables */
    this.casts = [];
    this.news = new News(root.dataset.news, { ask: () => this.#ask(), poll: SILENT_MS });
  }

  async open() {
    bindPace(document, async (mode) => {
      // Each table in a task of its own.
      for (const cast of [...this.casts]) {
        cast.setPace(mode);
        await drawn();
      }
      this.news.refresh();
    });
    await this.#ask().catch(() => {});
    for (const section of this.root.querySelectorAll("[data-cast]")) this.#open(section);
    this.news.listen();
    setInterval(() => this.#look(), LOOK_MS);
    // Lists on the page come anew now and then.
    document.addEventListener("htmx:afterSwap", () => this.#keepSecrets());
  }

  /** Rows of other lists on the page do not say how a game ends that a table still shows. */
  #keepSecrets() {
    const on = new Set(this.casts.filter((cast) => cast.overSince === null).map(({ game }) => game));
    /** @type {NodeListOf<HTMLElement>} */
    const rows = document.querySelectorAll("[data-result-of]");
    for (const row of rows) row.hidden = on.has(row.dataset.resultOf);
  }

  async #ask() {
    const response = await fetch(this.root.dataset.broadcast, { headers: { Accept: "application/json" } });
    if (!response.ok) throw new Error(gettext("The server answered {status}.", { status: response.status }));
    const { now, games } = await response.json();
    this.offset = Date.parse(now) - Date.now();
    this.games = games;
    await this.#look();
  }

  #open(section, before = null) {
    const place = before === null ? this.casts.length : this.casts.indexOf(before);
    const cast = new Cast(section, { offset: this.offset, isBeside: place > 0 });
    this.casts[place] = cast;
    this.seen.add(cast.game);
    return cast.open();
  }

  /** Games that no table shows: those not shown before first, and last those of bots that meet at a table already. */
  #waiting(cast) {
    const shown = new Set(this.casts.map(({ game }) => game));
    const others = new Set(this.casts.filter((one) => one !== cast).map(({ game }) => game));
    const met = new Set(this.games.filter(({ id }) => others.has(id)).map(({ bots }) => bots));
    const free = this.games.filter(({ id }) => !shown.has(id));
    const order = ({ id, bots }) => (met.has(bots) ? 2 : 0) + (this.seen.has(id) ? 1 : 0);
    return free.sort((one, other) => order(one) - order(other));
  }

  /** The game that a table should show now in place of its own, if any. */
  #nextFor(cast) {
    const waiting = this.#waiting(cast);
    // Bots that another table shows live need no second one for now.
    const live = this.casts.filter((one) => one !== cast && one.isRunning).map(({ game }) => this.games.find(({ id }) => id === game)?.bots);
    const running = waiting.find((game) => game.running && !live.includes(game.bots) && !this.seen.has(game.id));
    if (running && (cast.isReplay || (pace() === "now" && !cast.isRunning))) return running;
    return cast.isDone ? (waiting[0] ?? null) : null;
  }

  /** Gives a table to another game; one that nobody looks at keeps its own. */
  async #look() {
    this.#tell();
    this.#keepSecrets();
    if (this.busy || document.hidden) return;
    this.busy = true;
    for (const cast of this.casts) {
      const game = this.#nextFor(cast);
      if (game) await this.#replace(cast, game).catch(() => {});
    }
    this.busy = false;
  }

  async #replace(cast, game) {
    this.seen.add(game.id);
    const response = await fetch(game.table, { headers: { Accept: "text/html" } });
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const section = document.importNode(/** @type {HTMLElement} */ (page.querySelector("[data-cast]")), true);
    cast.close();
    cast.root.replaceWith(section);
    this.#open(section, cast);
  }

  #tell() {
    const [stage] = this.casts;
    const [next] = this.#waiting(stage);
    const soon = stage?.ending?.querySelector("[data-end-next]");
    if (this.next) write(this.next, next ? gettext("Next: {game}, {variant}", { game: next.label, variant: next.variant }) : "");
    if (!soon || !Number.isFinite(stage.left)) return;
    const time = `0:${String(Math.ceil(stage.left / 1000)).padStart(2, "0")}`;
    write(soon, next ? gettext("Next: {game} in {time}", { game: next.label, time }) : "");
  }
}
