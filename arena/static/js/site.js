/** What every page has: the theme button, menus that close, times in the reader's own zone. */

function currentTheme() {
  return (
    document.documentElement.dataset.theme ??
    (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")
  );
}

function toggleTheme() {
  const next = currentTheme() === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem("theme", next);
  } catch {
    // Storage may be forbidden: the choice then lasts for this page.
  }
  document.dispatchEvent(new CustomEvent("themechange"));
}

function closeMenus(event) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    const escaped = event.type === "keydown" && event.key === "Escape";
    if (escaped) menu.querySelector("summary")?.focus();
    if (escaped || (event.type === "click" && !menu.contains(event.target))) menu.open = false;
  }
}

/**
 * A time in the reader's own zone, once it is pointed at. Not before: a browser takes longer to make ready the
 * words for dates than for all else on a page.
 */
function localTime({ target }) {
  const time = target.closest?.("time[datetime]:not([title])");
  const when = time && new Date(time.dateTime);
  if (!time || Number.isNaN(when.getTime())) return;
  time.title = when.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** `data-fill="0.4"` widths and `data-confirm` questions: what style and onclick attributes would say. */
function fills(root) {
  for (const element of root.querySelectorAll("[data-fill]")) {
    element.style.setProperty("--fill", element.dataset.fill);
  }
}

function confirmFirst(event) {
  const question = event.target.dataset?.confirm;
  if (question && !window.confirm(question)) event.preventDefault();
}

document.querySelector("[data-theme-toggle]")?.addEventListener("click", toggleTheme);
document.addEventListener("click", closeMenus);
document.addEventListener("keydown", closeMenus);
document.addEventListener("submit", confirmFirst);
document.body.addEventListener("htmx:afterSettle", (event) => fills(event.target));
document.addEventListener("pointerover", localTime);
fills(document);
