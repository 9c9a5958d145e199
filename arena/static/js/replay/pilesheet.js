/** What lies in a pile, card by card: opened by clicking it. */

import { HIDDEN, longName } from "arena/replay/cards";
import { openSoon } from "arena/soon";
import { gettext, ngettext } from "arena/words";

const SVG = "http://www.w3.org/2000/svg";

function seenWords(unseen) {
  if (!unseen) return gettext("The players have seen them all.");
  return gettext("The players have not seen {count} of them (pale or face down).", { count: unseen });
}

export class PileSheet {
  constructor(dialog, page) {
    this.dialog = dialog;
    this.page = page;
    page.felt.addEventListener("click", (event) => this.#chosen(event));
    page.felt.addEventListener("keydown", (event) => event.key === "Enter" && this.#chosen(event));
  }

  #chosen(event) {
    const slot = event.target.closest("[data-pile]");
    if (!slot) return;
    // Else the same key press would go on to the sheet's own button and shut it again.
    event.preventDefault();
    const { explorer } = this.page;
    if (explorer?.active) explorer.click(slot.dataset.pile);
    else this.open(slot.dataset.pile);
  }

  open(name) {
    const { view, transport } = this.page;
    const { table } = transport;
    const ids = table.pile(name);
    const words = view.pileWords(name).split(",");
    this.dialog.querySelector("[data-pile-title]").textContent = words[0];
    const unseen = ids.filter((id) => !table.seen.has(id)).length;
    this.dialog.querySelector("[data-pile-words]").textContent = ids.length
      ? `${ngettext("{count} card, bottom card first.", "{count} cards, bottom card first.", ids.length)} ${seenWords(unseen)}`
      : gettext("This pile is empty.");
    const list = this.dialog.querySelector("[data-pile-cards]");
    list.replaceChildren(...ids.map((id) => this.#picture(table.cards[id], table.seen.has(id))));
    openSoon(this.dialog);
  }

  #picture(card, seen) {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", "0 0 250 350");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", longName(card.face) + (seen ? "" : gettext(", not seen")));
    if (!seen) svg.classList.add("is-unseen");
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `${this.page.root.dataset.deck}#${card.face === HIDDEN ? `back${card.pack % 4}` : `T${card.face}`}`);
    svg.append(use);
    return svg;
  }
}
