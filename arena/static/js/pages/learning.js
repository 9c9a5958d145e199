/** Pages that list tutorials: what was done already, and where to go on. */

import { doneSteps, showDone } from "arena/play/progress";
import { gettext } from "arena/words";

/** @param {HTMLElement} root of one tutorial */
function showProgress(root) {
  const next = showDone(root);
  const keys = root.dataset.keys.split(" ");
  const done = doneSteps(root.dataset.tutorial);
  const count = keys.filter((key) => done.has(key)).length;
  if (count) root.querySelector("[data-progress]").textContent = gettext("{done} of {total} steps done", { done: count, total: keys.length });
  if (next <= 1) return;
  /** @type {HTMLAnchorElement} */
  const go = root.querySelector("[data-go]");
  go.href = go.dataset.go.replace(/0\/$/, `${next}/`);
  go.querySelector("span").textContent = gettext("Continue");
}

/** @type {NodeListOf<HTMLElement>} */
const roots = document.querySelectorAll("[data-tutorial]");
for (const root of roots) showProgress(root);
