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

const dateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

function localTimes(root) {
  for (const time of root.querySelectorAll("time[datetime]:not([title])")) {
    const when = new Date(time.dateTime);
    if (!Number.isNaN(when.getTime())) time.title = dateFormat.format(when);
  }
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

function prepare(root) {
  localTimes(root);
  fills(root);
}

document.querySelector("[data-theme-toggle]")?.addEventListener("click", toggleTheme);
document.addEventListener("click", closeMenus);
document.addEventListener("keydown", closeMenus);
document.addEventListener("submit", confirmFirst);
document.body.addEventListener("htmx:afterSettle", (event) => prepare(event.target));
prepare(document);
