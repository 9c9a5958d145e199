/** What lies in a pile, card by card. */

import { HIDDEN, longName } from "arena/replay/cards";
import { openSoon } from "arena/soon";
import { gettext, ngettext } from "arena/words";

const SVG = "http://www.w3.org/2000/svg";

function seenWords(unseen) {
  if (!unseen) return gettext("The players have seen them all.");
  return gettext("The players have not seen {count} of them (pale or face down).", { count: unseen });
}

/** @param {import("arena/replay/page").ReplayPage} page */
export function openPile(page, name) {
  const { view, transport } = page;
  const { table } = transport;
  const ids = table.pile(name);
  const words = view.pileWords(name).split(",");
  /** @type {HTMLDialogElement} */
  const dialog = page.find('[data-sheet="pile"]');
  dialog.querySelector("[data-pile-title]").textContent = words[0];
  const unseen = ids.filter((id) => !table.seen.has(id)).length;
  dialog.querySelector("[data-pile-words]").textContent = ids.length
    ? `${ngettext("{count} card, bottom card first.", "{count} cards, bottom card first.", ids.length)} ${seenWords(unseen)}`
    : gettext("This pile is empty.");
  const list = dialog.querySelector("[data-pile-cards]");
  list.replaceChildren(...ids.map((id) => picture(page.root.dataset.deck, table.cards[id], table.seen.has(id))));
  openSoon(dialog);
}

function picture(deck, card, seen) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 250 350");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", longName(card.face) + (seen ? "" : gettext(", not seen")));
  if (!seen) svg.classList.add("is-unseen");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${deck}#${card.face === HIDDEN ? `back${card.pack % 4}` : `T${card.face}`}`);
  svg.append(use);
  return svg;
}
