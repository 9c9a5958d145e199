/**
 * What the seats can know of the hidden cards. Every card that was seen was seen by all (RULES 1), so that
 * all know alike: where each seen card lies, and which cards nobody has seen are still in the hidden piles.
 */

import { RANKS, SUITS, shortName, suitName } from "arena/replay/cards";
import { node } from "arena/replay/writing";
import { gettext, labelled, ngettext } from "arena/words";

const ONE_PACK = new Set(["crapaud", "crapaud-kjq"]);

/**
 * For each pool of cards that were shuffled together how many of each face nobody has seen.
 * @returns {{seats: number[], counts: Map<string, number>}[]} one pool for all seats, or one for each
 */
export function poolsOf(table) {
  const seats = Array.from({ length: table.players }, (_, seat) => seat);
  const groups = ONE_PACK.has(table.variant) ? [seats] : seats.map((seat) => [seat]);
  return groups.map((group) => {
    const counts = new Map();
    for (const suit of SUITS) for (const rank of RANKS) counts.set(rank + suit, group.length);
    table.cards.forEach(({ face, pack }, id) => {
      if (table.seen.has(id) && group.includes(pack)) counts.set(face, counts.get(face) - 1);
    });
    return { seats: group, counts };
  });
}

/** A hidden pile as everybody can know it, top first: faces, or null for a card never seen. */
export function knownPile(table, name) {
  return table.pile(name).map((id) => (table.seen.has(id) ? table.cards[id].face : null)).reverse();
}

export class Unseen {
  /**
   * @param {HTMLElement} panel
   * @param {import("arena/replay/words").Names} names
   */
  constructor(panel, names) {
    this.panel = panel;
    this.names = names;
  }

  /** Rewrites the panel if somebody looks at it. */
  show(table) {
    if (this.panel.hidden) return;
    const pools = poolsOf(table);
    this.panel.querySelector("[data-unseen]").replaceChildren(
      ...pools.map((pool) => this.#pool(pool)),
      ...this.names.map((name, seat) => this.#seat(table, name, seat)),
    );
  }

  /** All cards of the pool by suit; what was seen is pale. */
  #pool({ seats, counts }) {
    const section = node("section");
    const left = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const heading = seats.length > 1
      ? ngettext("Never seen: {count} card", "Never seen: {count} cards", left)
      : seats[0] === this.names.you
        ? ngettext("Never seen from your deck: {count} card", "Never seen from your deck: {count} cards", left)
        : ngettext("Never seen from {player}’s deck: {count} card", "Never seen from {player}’s deck: {count} cards", left, { player: this.names[seats[0]] });
    section.append(node("h3", "", heading));
    const table = node("table", "unseen");
    for (const suit of SUITS) {
      const row = table.insertRow();
      row.dataset.suit = suit;
      const cards = [...RANKS].map((rank) => [rank, counts.get(rank + suit)]);
      const missing = cards.filter(([, count]) => count).map(([rank, count]) => `${rank === "T" ? 10 : rank}${count > 1 ? ` × ${count}` : ""}`);
      const head = node("th", "", shortName(`A${suit}`).slice(1));
      head.scope = "row";
      head.setAttribute("aria-label", labelled(suitName(suit), missing.join(", ") || gettext("all seen")));
      row.append(head);
      for (const [rank, count] of cards) {
        const cell = row.insertCell();
        cell.setAttribute("aria-hidden", "true");
        cell.textContent = rank === "T" ? "10" : rank;
        cell.className = ["is-seen", "is-one", "is-many"][Math.min(2, count)];
      }
    }
    section.append(table);
    return section;
  }

  #seat(table, name, seat) {
    const section = node("section");
    section.append(node("h3", "", name));
    const list = node("dl", "knownpiles");
    for (const [letter, words] of [["r", gettext("Reserve")], ["h", gettext("Hand")], ["d", gettext("Discard")]]) {
      if (letter === "r" && !table.hasReserve) continue;
      const cards = knownPile(table, letter + seat);
      const known = cards.filter(Boolean).length;
      const line = node("dd");
      for (const face of cards) {
        const chip = node("span", face ? "known" : "known known--not", face ? shortName(face) : "?");
        if (face) chip.dataset.suit = face[1];
        line.append(chip);
      }
      if (!cards.length) line.textContent = gettext("empty");
      list.append(node("dt", "", gettext("{pile}, {known} of {count} known", { pile: words, known, count: cards.length })), line);
    }
    section.append(list);
    return section;
  }
}
