/** Puts a viewer together on every element that asks for one, where nobody watches a game that is being played. */

import { ReplayPage } from "arena/replay/page";

for (const root of document.querySelectorAll("[data-viewer]")) new ReplayPage(/** @type {HTMLElement} */ (root)).open();
