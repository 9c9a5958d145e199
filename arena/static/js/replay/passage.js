/** Choosing a passage of the game to share, from and to where the viewer stands; it is marked on the bar. */

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
  const show = () => {
    const [from, to] = [first, last].map(({ value }) => page.timeline.countAtPly(Number(value)));
    page.scrub.mark(panel.open ? from : 0, panel.open ? to : 0);
  };
  const choose = (input, ply) => {
    input.value = String(ply);
    show();
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
  for (const input of [first, last]) input.addEventListener("input", () => {
    chosen = true;
    show();
  });
  // Nothing was chosen yet: begin with what led to the position shown.
  panel.addEventListener("toggle", () => {
    show();
    if (!panel.open || chosen || !here()) return;
    choose(first, Math.max(0, here() - PROPOSED));
    choose(last, here());
  });
  const open = () => {
    panel.open = true;
    panel.scrollIntoView({ block: "center" });
    first.focus();
  };
  // The page of a passage leads here, to choose at the table.
  if (location.hash === "#passage") open();
  return open;
}
