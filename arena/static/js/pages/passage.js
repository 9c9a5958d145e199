/** Buttons that copy the text of a field beside them. */

import { gettext } from "arena/words";

const SECONDS = 2;

/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll("[data-copy]");
for (const button of buttons) {
  const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy));
  const label = button.querySelector("span");
  const words = label.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      label.textContent = gettext("Copied");
      setTimeout(() => (label.textContent = words), 1000 * SECONDS);
    } catch {
      label.textContent = gettext("Your browser did not allow copying. Select the text and copy it yourself.");
    }
  });
}
