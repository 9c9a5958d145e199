/** Choosing a passage of the game to share: from where, and to where, the viewer stands. */

/** Plies before the one shown that a choice begins with. */
const PROPOSED = 20;

/** @param {import("arena/replay/page").ReplayPage} page */
export function bindPassage(page) {
  /** @type {HTMLDetailsElement} */
  const panel = document.querySelector("[data-passage]");
  if (!panel) return null;
  const field = (name) => /** @type {HTMLInputElement} */ (panel.querySelector(`[name="${name}"]`));
  const [first, last] = ["first", "last"].map(field);
  const here = () => page.timeline.at(page.transport.count).ply;
  let chosen = false;
  const choose = (input, ply) => {
    input.value = String(ply);
  };
  /** @type {NodeListOf<HTMLButtonElement>} */
  const buttons = panel.querySelectorAll("[data-passage-here]");
  for (const button of buttons) {
    button.hidden = false;
    button.addEventListener("click", () => {
      chosen = true;
      choose(button.dataset.passageHere === "first" ? first : last, here());
    });
  }
  for (const input of [first, last]) input.addEventListener("input", () => (chosen = true));
  // Nothing was chosen yet: begin with what led to the position shown.
  panel.addEventListener("toggle", () => {
    if (!panel.open || chosen || !here()) return;
    choose(first, Math.max(0, here() - PROPOSED));
    choose(last, here());
  });
  /** Opens the choice. */
  return () => {
    panel.open = true;
    panel.scrollIntoView({ block: "center" });
    first.focus();
  };
}
