/**
 * Choosing a passage of the game to share: its two ends are dragged along the timeline, or set to where the viewer
 * stands.
 */

import { gettext, ngettext } from "arena/words";

/** Plies before the one shown that a choice begins with. */
const PROPOSED = 20;

/** @param {import("arena/replay/page").ReplayPage} page */
export function bindPassage(page) {
  /** @type {HTMLDetailsElement} */
  const panel = document.querySelector("[data-passage]");
  if (!panel) return null;
  const field = (name) => /** @type {HTMLInputElement} */ (panel.querySelector(`[name="${name}"]`));
  const [first, last] = ["first", "last"].map(field);
  const most = Number(panel.dataset.most);
  const told = panel.querySelector("[data-passage-told]");
  const here = () => page.timeline.at(page.transport.count).ply;
  let chosen = false;
  // The ends are the form's own sliders, laid on the timeline.
  for (const input of [first, last]) {
    input.setAttribute("form", panel.querySelector("form").id);
    input.classList.add("scrub__edge");
    page.find("[data-scrub]").append(input);
  }
  panel.classList.add("is-on-timeline");
  const show = () => {
    const plies = [first, last].map(({ value }) => Number(value));
    const [from, to] = plies.map((ply) => page.timeline.countAtPly(ply));
    for (const input of [first, last]) input.hidden = !panel.open;
    page.scrub.mark(panel.open ? from : 0, panel.open ? to : 0);
    const turn = (count) => page.timeline.at(Math.min(count, page.timeline.length)).turn + 1;
    const moves = ngettext("{count} move", "{count} moves", plies[1] - plies[0]);
    told.textContent = gettext("Turn {first} to turn {last}: {moves}", { first: turn(from + 1), last: turn(to), moves });
  };
  /** Sets an end; the other one follows where the passage would be too long, or end before it begins. */
  const choose = (input, ply) => {
    input.value = String(ply);
    if (input === first) last.value = String(Math.max(ply, Math.min(Number(last.value), ply + most)));
    else first.value = String(Math.min(ply, Math.max(Number(first.value), ply - most)));
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
    choose(input, Number(input.value));
    page.transport.seekPly(Number(input.value), { duration: 0 });
  });
  // Nothing was chosen yet: begin with what led to the position shown.
  panel.addEventListener("toggle", () => {
    if (panel.open && !chosen && here()) {
      first.value = String(Math.max(0, here() - PROPOSED));
      last.value = String(here());
    }
    show();
  });
  show();
  const open = () => {
    panel.open = true;
    page.root.scrollIntoView({ block: "start" });
    first.focus({ preventScroll: true });
  };
  // The page of a passage leads here, to choose at the table.
  if (location.hash === "#passage") open();
  return open;
}
