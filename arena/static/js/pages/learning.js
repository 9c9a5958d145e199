/** Pages that list tutorials: what was done already, and where to go on. */

import { doneSteps, showDone } from "arena/play/progress";
import { gettext } from "arena/words";

/**
 * How far somebody has come, and which step comes next where the page names the steps.
 * @param {number} done
 * @param {string[]} keys
 * @param {HTMLElement} [next]
 */
function told(done, keys, next) {
  const said = { done, total: keys.length };
  if (!next) return gettext("{done} of {total} steps done", said);
  return gettext("{done} of {total} steps done. Next: {step}", { ...said, step: next.title });
}

/** @param {HTMLElement} root of one tutorial */
function showProgress(root) {
  const next = showDone(root);
  const keys = root.dataset.keys.split(" ");
  const done = doneSteps(root.dataset.tutorial);
  const count = keys.filter((key) => done.has(key)).length;
  const pips = new Map([...root.querySelectorAll("[data-pip]")].map((/** @type {HTMLElement} */ pip) => [pip.dataset.pip, pip]));
  for (const [key, pip] of pips) pip.classList.toggle("is-done", done.has(key));
  if (count) root.querySelector("[data-progress]").textContent = told(count, keys, pips.get(keys[next - 1]));
  if (next <= 1) return;
  /** @type {HTMLAnchorElement} */
  const go = root.querySelector("[data-go]");
  go.href = go.dataset.go.replace(/0\/$/, `${next}/`);
  go.querySelector("span").textContent = gettext("Continue");
}

/** @type {NodeListOf<HTMLElement>} */
const roots = document.querySelectorAll("[data-tutorial]");
for (const root of roots) showProgress(root);
