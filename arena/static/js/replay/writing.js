/** Writes words into elements: new ones, and where they change many times a second only what changed. */

/** A new element, with a class and a text if they are given. */
export function node(name, className, text) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

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
