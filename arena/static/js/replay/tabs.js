/** Tabs as the ARIA practices want them: arrows go from tab to tab, one panel is shown. */

import { drawn } from "arena/soon";

/**
 * @param {HTMLElement} root holds [role=tab] elements with aria-controls
 * @param {(name: string) => void} onChange called with the data-tab of the tab chosen, once its panel is there
 * @returns {{choose: (name: string) => void}}
 */
export function bindTabs(root, onChange) {
  const tabs = [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[role=tab]"))];

  let chosen;

  function choose(name) {
    chosen = name;
    for (const tab of tabs) {
      const on = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
    }
    drawn().then(() => chosen === name && open(name));
  }

  function open(name) {
    for (const tab of tabs) document.getElementById(tab.getAttribute("aria-controls")).hidden = tab.dataset.tab !== name;
    onChange(name);
  }

  root.addEventListener("click", (/** @type {MouseEvent & {target: Element}} */ event) => {
    /** @type {HTMLElement} */
    const tab = event.target.closest("[role=tab]");
    if (tab) choose(tab.dataset.tab);
  });
  root.addEventListener("keydown", (/** @type {KeyboardEvent & {target: HTMLElement}} */ event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    // Else the same key would step through the game as well.
    event.stopPropagation();
    const shown = tabs.filter((tab) => !tab.hidden);
    const next = shown[(shown.indexOf(event.target) + by + shown.length) % shown.length];
    next.focus();
    choose(next.dataset.tab);
  });
  return { choose };
}
