/** Keys at the table: arrows go from pile to pile, Enter takes and places; letters do the rest (see the sheet). */

import { neighbour } from "arena/play/geometry";

/** @param {KeyboardEvent & {target: Element}} event */
function typing(event) {
  return event.target.closest?.("input:not([type=range]), textarea, select, dialog[open], [contenteditable]");
}

/**
 * Keys do what `actions` say; a focused pile takes Enter.
 * @param {import("arena/replay/view").View} view
 * @param {{tap: (pile: string) => void} & Record<string, (...pile: string[]) => void>} actions by key, with `tap` for a pile
 */
export function bindKeys(view, { tap, ...actions }) {
  document.addEventListener("keydown", (/** @type {KeyboardEvent & {target: Element}} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event)) return;
    const pile = event.target.closest?.("[data-pile]")?.getAttribute("data-pile");
    if (event.key.startsWith("Arrow")) {
      const next = pile ? neighbour(view, pile, event.key) : [...view.slots.keys()].find((name) => "ts".includes(name[0]));
      if (!next) return;
      event.preventDefault();
      view.slots.get(next).node.focus();
    } else if (event.key === "Enter" || (event.key === " " && !actions[" "])) {
      if (!pile) return;
      event.preventDefault();
      tap(pile);
    } else if (actions[event.key]) {
      // A focused button keeps its own Space.
      if (event.key === " " && event.target.closest?.("button, a, summary")) return;
      event.preventDefault();
      actions[event.key]();
    }
  });
}
