/** Buttons that copy the text of a field beside them. */

import { copyText } from "arena/clipboard";

/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll("[data-copy]");
for (const button of buttons) {
  const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy));
  button.hidden = false;
  button.addEventListener("click", () => {
    field.select();
    copyText(field.value, button.querySelector("span"));
  });
}
