/** The tables of the home page and of TV. */

import { Programme } from "arena/broadcast/programme";

/** @type {NodeListOf<HTMLElement>} */
const roots = document.querySelectorAll("[data-broadcast]");
for (const root of roots) new Programme(root).open();
