/** Which steps of the tutorials somebody has done, kept in the browser by the steps' names. */

import { remember, remembered } from "arena/choices";

const name = (variant) => `learn-${variant}`;

/** The steps of a variant that were done. */
export function doneSteps(variant) {
  return new Set(remembered(name(variant), "").split(" ").filter(Boolean));
}

export function markDone(variant, step) {
  remember(name(variant), [...doneSteps(variant).add(step)].join(" "));
}

/** Shows in a list of a tutorial's steps which are done; returns the number of the first that is not, or 0. */
export function showDone(root) {
  const done = doneSteps(root.dataset.tutorial);
  const keys = root.dataset.keys.split(" ");
  for (const mark of root.querySelectorAll("[data-step-key]")) mark.hidden = !done.has(mark.dataset.stepKey);
  return keys.findIndex((key) => !done.has(key)) + 1;
}
