/** A tournament's page renews its figures when the server says that they changed. */

import { News } from "arena/live/news";

const OVER = ["finished", "cancelled"];

function follow(figures) {
  /** @type {() => HTMLElement} */
  const status = () => figures.querySelector("[data-status]");
  const over = () => OVER.includes(status()?.dataset.status);
  if (over()) return;
  const news = new News(figures.dataset.tournament, {
    ask: () => /** @type {any} */ (window).htmx?.trigger(figures, "changed"),
  });
  figures.addEventListener("htmx:afterSettle", () => over() && news.close());
  news.listen();
}

for (const figures of document.querySelectorAll("[data-tournament]")) follow(figures);
