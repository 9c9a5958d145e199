/** What the table says in words: what its piles are called, what is still to be laid, and what was called. */

import { kindName, longName, pileOf, suitName } from "arena/replay/cards";
import { isFaceUp } from "arena/replay/places";
import { eventWords, phaseWords } from "arena/replay/words";
import { gettext, ngettext } from "arena/words";

/** "House 3, 5 cards, top 7 of spades". `names` are the players', by seat, as far as they are known. */
export function captionOf(table, sight, names, name) {
  const pile = pileOf(name);
  const ids = table.pile(name);
  const player = names[pile.seat] ?? gettext("seat {number}", { number: pile.seat + 1 });
  const heading = {
    house: () => gettext("House {number}", { number: pile.number }),
    slot: () => gettext("Slot {number} of {player}", { number: pile.number, player }),
    foundation: () => gettext("Foundation of {suit} {number}", { suit: suitName(pile.suit), number: pile.number + 1 }),
  }[pile.kind]?.() ?? ownPile(pile, player);
  if (!ids.length) return `${heading}, ${gettext("empty")}`;
  const count = ngettext("{count} card", "{count} cards", ids.length);
  if (table.completed.has(name)) return `${heading}, ${gettext("complete")}`;
  const up = isFaceUp(table, sight, name, ids.length - 1, ids.length, ids.at(-1));
  return `${heading}, ${count}${up ? gettext(", top {card}", { card: longName(table.cards[ids.at(-1)].face) }) : ""}`;
}

/** "Reserve of Planner". */
function ownPile({ kind }, player) {
  const words = kindName(kind);
  return gettext("{pile} of {player}", { pile: words[0].toUpperCase() + words.slice(1), player });
}

/** In the panel of the seat whose turn it is: what is still to be laid. Nothing lies there that it could cover. */
export function tellPhase(table, panels) {
  const words = phaseWords(table.phase);
  panels.forEach((panel, seat) => {
    const told = seat === table.turn ? words : "";
    let node = panel.querySelector(".seat__phase");
    if (!node && !told) return;
    if (!node) {
      node = document.createElement("p");
      node.className = "seat__phase";
      panel.append(node);
    }
    if (node.textContent !== told) node.textContent = told;
  });
}

/** Over the table: that somebody called stop. */
export function announce(banner, table, names) {
  const event = table.lastMove;
  const stopped = event?.type === "stop";
  const words = stopped ? eventWords(event, names) : "";
  if (banner.textContent === words) return;
  banner.textContent = words;
  banner.hidden = !words;
  banner.classList.toggle("felt__banner--stop", stopped);
}
