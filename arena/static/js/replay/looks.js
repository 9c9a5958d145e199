/** The choices of how cards look, the same in every replay and at every table; remembered by the browser. */

import { remember, remembered } from "arena/choices";

/**
 * @param {HTMLElement} root with the checkbox [data-option=four] and the list [data-option=index]
 * @param {import("arena/replay/view").View} view
 */
export function bindLooks(root, view) {
  /** @type {HTMLInputElement} */
  const four = root.querySelector('[data-option="four"]');
  /** @type {HTMLSelectElement} */
  const index = root.querySelector('[data-option="index"]');
  four.checked = remembered("cards-four", "") === "1";
  index.value = remembered("cards-index", "auto");
  four.addEventListener("change", () => {
    remember("cards-four", four.checked ? "1" : "");
    view.setLook({ four: four.checked });
  });
  index.addEventListener("change", () => {
    remember("cards-index", index.value);
    view.setLook({ index: index.value });
  });
  view.setLook({ index: index.value, four: four.checked });
}
