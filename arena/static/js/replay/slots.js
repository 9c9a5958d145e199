/** The places of piles on the felt: what is drawn below their cards, and the counts above them. */

import { kindName, pileOf } from "arena/replay/cards";

const SVG = "http://www.w3.org/2000/svg";

/** A new element of a class, at the end of another one. */
export function element(name, className, parent) {
  const node = document.createElement(name);
  if (className) node.className = className;
  parent?.append(node);
  return node;
}

/**
 * The slot of a pile: its place, what is clicked for it, its count and the mark of its key.
 * @param {string} name
 * @param {{deck: string, labels?: boolean, keys?: Record<string, string>}} options the view's
 * @param {HTMLElement} layer where slots are drawn
 * @param {HTMLElement} badges where counts are drawn, above the cards
 */
export function slotOf(name, { deck, labels, keys }, layer, badges) {
  const node = element("div", `slot slot--${pileOf(name).kind}`, layer);
  node.dataset.pile = name;
  node.setAttribute("role", "button");
  node.tabIndex = 0;
  // What is clicked for a pile: its place with the whole fan.
  const slot = { node, badge: null, key: null, hit: element("span", "slot__hit", node) };
  if (name[0] === "f") {
    node.append(suitPicture(deck, name[1]));
  } else if ("rdh".includes(name[0])) {
    slot.badge = element("span", "slot__count", badges);
    slot.badge.setAttribute("aria-hidden", "true");
    if (labels) element("span", "slot__name", node).textContent = kindName(pileOf(name).kind);
  }
  const key = keys?.[name];
  if (key) {
    slot.key = element("kbd", "slot__key", badges);
    slot.key.textContent = key;
    slot.key.setAttribute("aria-hidden", "true");
  }
  return slot;
}

function suitPicture(deck, suit) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "slot__suit");
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${deck}#pip${suit}`);
  svg.append(use);
  return svg;
}
