/** Puts a viewer together on every element that asks for one; one that is watched has a label of its own. */

import { Cast, bindPace } from "arena/broadcast/cast";
import { ReplayPage } from "arena/replay/page";

/** @type {NodeListOf<HTMLElement>} */
const viewers = document.querySelectorAll("[data-viewer]");
for (const root of viewers) {
  /** @type {HTMLElement} */
  const watched = root.closest("[data-cast]");
  if (watched) {
    const cast = new Cast(watched, { isAsked: true });
    bindPace(watched, (mode) => cast.setPace(mode));
    cast.open();
  } else {
    new ReplayPage(root).open();
  }
}
