/** Copying a text, and saying so in the button that did it. */

import { gettext } from "arena/words";

const SECONDS = 2;

/**
 * @param {string} text
 * @param {HTMLElement} label what the button says
 */
export async function copyText(text, label) {
  const words = label.dataset.words ?? label.textContent;
  label.dataset.words = words;
  try {
    await navigator.clipboard.writeText(text);
    label.textContent = gettext("Copied");
    setTimeout(() => (label.textContent = words), 1000 * SECONDS);
  } catch {
    label.textContent = gettext("Your browser did not allow copying. Select the text and copy it yourself.");
  }
}
