/** The page of a tutorial's step. */

import { TickLesson, TurnLesson } from "arena/play/lesson";
import { showDone } from "arena/play/progress";

/** @type {NodeListOf<HTMLElement>} */
const roots = document.querySelectorAll("[data-lesson]");
for (const root of roots) {
  showDone(root.querySelector("[data-tutorial]"));
  new (root.dataset.lesson === "ticks" ? TickLesson : TurnLesson)(root).open();
}
