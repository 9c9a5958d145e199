/** A replay of one's own game begins with what decided it. */

import { tellEnding } from "arena/play/ending";

/** @type {NodeListOf<HTMLElement>} */
const panels = document.querySelectorAll("[data-over]");
for (const panel of panels) tellEnding(panel);
