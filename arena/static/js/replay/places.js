/** Where each card lies on the felt, and which ones can be seen. */

import { fanStep } from "arena/replay/layout";

/** A stack shows its height by an edge for every so many cards. */
const CARDS_AN_EDGE = 6;

/** Whether the card at a position of a pile of so many cards shows its face; `sight` is the view's. */
export function isFaceUp(table, sight, name, position, length, id) {
  switch (name[0]) {
    case "h":
      return sight === "all" || (sight === "known" && table.seen.has(id));
    case "r":
      return sight === "all" || position === length - 1 || table.seen.has(id);
    case "f":
      return !table.completed.has(name);
    default:
      return true;
  }
}

/** {x, y, z, up, pile, deep} of each card by identity. */
export function placesOf(table, { card, slots }, sight) {
  const places = new Array(table.cards.length);
  for (const [name, ids] of table.piles) {
    const slot = slots.get(name === "x" ? `x${table.turn}` : name);
    if (!slot) continue;
    const step = fanStep(slot, card, ids.length);
    ids.forEach((id, position) => {
      const place = { x: slot.x, y: slot.y, z: 10 + position, pile: name, deep: false, up: true };
      if (slot.fan === "left") place.x -= step * position;
      else if (slot.fan === "right") place.x += step * position;
      else if (slot.fan === "down") place.y += step * position;
      else {
        // What lies deep in a stack is not drawn.
        const lift = Math.floor(position / CARDS_AN_EDGE) * Math.max(1, card.width * 0.016);
        place.y -= lift;
        place.deep = position < ids.length - 3 && position % CARDS_AN_EDGE !== 0;
      }
      place.up = isFaceUp(table, sight, name, position, ids.length, id);
      places[id] = place;
    });
  }
  return places;
}
