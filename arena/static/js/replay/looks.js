/** How cards look: choices that are the same at every table and in every replay. */

import { remember, remembered } from "arena/choices";

/** @param {{root: HTMLElement, view: import("arena/replay/view").View}} page with [data-option] four and index */
export function bindLooks({ root, view }) {
  const four = root.querySelector('[data-option="four"]');
  const index = root.querySelector('[data-option="index"]');
  const colours = () => root.querySelector("[data-felt]").classList.toggle("felt--four", four.checked);
  four.checked = remembered("cards-four", "") === "1";
  four.addEventListener("change", () => {
    remember("cards-four", four.checked ? "1" : "");
    colours();
  });
  view.index = index.value = remembered("cards-index", "auto");
  index.addEventListener("change", () => {
    remember("cards-index", index.value);
    view.setIndex(index.value);
  });
  colours();
}
