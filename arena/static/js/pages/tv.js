/**
 * The tables of the TV page: each shows a game, and is given another once that is over and another is played.
 * What should be shown is the server's to say: the page itself is asked for again.
 */

import { ReplayPage } from "arena/replay/page";

const LOOK_MS = 8000;
/** So long the end of a game stays on its table. */
const LINGER_MS = 6000;

class Tables {
  constructor(list) {
    this.list = list;
    this.pages = new Map();
    for (const section of list.children) this.#open(section);
  }

  #open(section) {
    const page = new ReplayPage(section.querySelector("[data-viewer]"));
    this.pages.set(section, page);
    page.open();
  }

  /** Whether a table can be given to another game: sooner to one that is being played. */
  #isFree(section, running) {
    const page = this.pages.get(section);
    const over = this.#isOver(page);
    return over || (running && section.dataset.status !== "running");
  }

  #isOver(page) {
    const over = Boolean(page.transport?.atEnd && page.timeline.result);
    if (!over) page.overSince = null;
    else page.overSince ??= performance.now();
    return over && performance.now() - page.overSince >= LINGER_MS;
  }

  #replace(section, next) {
    this.pages.get(section).close();
    this.pages.delete(section);
    const fresh = document.importNode(next, true);
    section.replaceWith(fresh);
    this.#open(fresh);
  }

  /** Takes the games of a newer page to the tables that are free. */
  take(sections) {
    const shown = new Set([...this.list.children].map((section) => section.dataset.game));
    for (const next of sections.filter(({ dataset }) => !shown.has(dataset.game))) {
      const running = next.dataset.status === "running";
      const free = [...this.list.children].find((section) => this.#isFree(section, running));
      if (!free) return;
      this.#replace(free, next);
    }
  }

  /** Asks what is played now; a tab that nobody sees does not. */
  async look() {
    if (document.hidden) return;
    const response = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
    if (!response?.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    this.take([...page.querySelectorAll("[data-tables] > section")]);
  }
}

const list = document.querySelector("[data-tables]");
if (list) {
  const tables = new Tables(list);
  setInterval(() => tables.look(), LOOK_MS);
  document.addEventListener("visibilitychange", () => tables.look());
}
