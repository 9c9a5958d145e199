/** A tournament's page renews its figures when the server says that they changed. */

import { News } from "arena/live/news";

const OVER = ["finished", "cancelled"];
/** News may be lost on the way, and the last of it would be missed for good. */
const SILENT_MS = 30_000;

function follow(figures) {
  /** @type {() => HTMLElement} */
  const status = () => figures.querySelector("[data-status]");
  const over = () => OVER.includes(status()?.dataset.status);
  if (over()) return;
  // What somebody types there, such as the key of an invited event, would go with the old figures.
  const typed = () =>
    [.../** @type {NodeListOf<HTMLInputElement>} */ (figures.querySelectorAll("input"))].some(
      (one) => one.value !== one.defaultValue || one === document.activeElement,
    );
  figures.addEventListener("htmx:beforeSwap", (event) => {
    if (typed()) event.detail.shouldSwap = false;
  });
  const news = new News(figures.dataset.tournament, {
    ask: () => /** @type {any} */ (window).htmx?.trigger(figures, "changed"),
    poll: SILENT_MS,
  });
  figures.addEventListener("htmx:afterSettle", () => over() && news.close());
  news.listen();
}

for (const figures of document.querySelectorAll("[data-tournament]")) follow(figures);
