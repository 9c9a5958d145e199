/** Writes words where they change many times a second: only what changed, into the text that is there. */

/**
 * @param {Element} node that holds nothing but words
 * @param {string} words
 */
export function write(node, words) {
  const text = /** @type {Text|null} */ (node.firstChild);
  if (!text) node.append(words);
  else if (text.data !== words) text.data = words;
}

/** Sets an attribute that may have that value already. */
export function mark(node, name, value) {
  const words = String(value);
  if (node.getAttribute(name) !== words) node.setAttribute(name, words);
}
