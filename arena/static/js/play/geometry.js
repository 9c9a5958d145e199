/** Which card or pile lies at a point of the felt, forgiving to thumbs. */

import { fanStep } from "arena/replay/layout";

/** The point of a pointer event within the view's layer. */
export function pointIn(view, event) {
  const box = view.layer.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

/** The uppermost card at a point as {id, pile}, or nothing. */
export function cardAt(view, { x, y }) {
  const { width, height } = view.layout.card;
  let found = null;
  view.nodes.forEach(({ place }, id) => {
    if (!place || x < place.x || y < place.y || x > place.x + width || y > place.y + height) return;
    if (!found || place.z >= found.z) found = { id, pile: place.pile, z: place.z };
  });
  return found;
}

/** The box that a pile covers, with its fan. */
export function boxOf(view, name) {
  const { card, slots } = view.layout;
  const slot = slots.get(name === "x" ? `x${view.table.turn}` : name);
  if (!slot) return null;
  const along = fanStep(slot, card, view.table.pile(name).length) * Math.max(0, view.table.pile(name).length - 1);
  return {
    left: slot.x - (slot.fan === "left" ? along : 0),
    top: slot.y,
    right: slot.x + card.width + (slot.fan === "right" ? along : 0),
    bottom: slot.y + card.height + (slot.fan === "down" ? along : 0),
  };
}

function distance(box, { x, y }) {
  const dx = Math.max(box.left - x, 0, x - box.right);
  const dy = Math.max(box.top - y, 0, y - box.bottom);
  return Math.hypot(dx, dy);
}

/** The pile nearest to a point, at most 0.6 of a card away; one of `preferred` if it is near enough. */
export function pileAt(view, point, preferred = []) {
  const reach = view.layout.card.width * 0.6;
  let best = null;
  for (const name of [...view.slots.keys(), "x"]) {
    const box = boxOf(view, name);
    if (!box || (name === "x" && !view.table.pile("x").length)) continue;
    const away = distance(box, point) - (preferred.includes(name) ? reach * 0.5 : 0);
    if (away <= reach && (!best || away < best.away)) best = { name, away };
  }
  return best?.name ?? null;
}

/** The slot nearest to another in a direction, for the arrow keys. */
export function neighbour(view, name, key) {
  const here = boxOf(view, name);
  if (!here) return null;
  const centre = (box) => ({ x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 });
  const from = centre(here);
  const [ax, ay] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  let best = null;
  for (const other of view.slots.keys()) {
    if (other === name) continue;
    const to = centre(boxOf(view, other));
    const along = (to.x - from.x) * ax + (to.y - from.y) * ay;
    const across = Math.abs((to.x - from.x) * ay) + Math.abs((to.y - from.y) * ax);
    if (along < 4) continue;
    const cost = along + 2.5 * across;
    if (!best || cost < best.cost) best = { name: other, cost };
  }
  return best?.name ?? null;
}
