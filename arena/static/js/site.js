/** What every page has: the theme button, menus that close, notices that go, words explained, times in the reader's own zone. */

import { drawn } from "arena/soon";
import { language } from "arena/words";

function currentTheme() {
  return (
    document.documentElement.dataset.theme ??
    (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")
  );
}

let nextTheme = null;

/** The button answers first: other colours for everything on a page are more than a slow phone draws in one frame. */
async function toggleTheme({ currentTarget: button }) {
  const next = (nextTheme ?? currentTheme()) === "dark" ? "light" : "dark";
  nextTheme = next;
  button.classList.add("is-busy");
  try {
    localStorage.setItem("theme", next);
  } catch {
    // Storage may be forbidden: the choice then lasts for this page.
  }
  await drawn();
  if (next !== nextTheme) return;
  nextTheme = null;
  button.classList.remove("is-busy");
  document.documentElement.dataset.theme = next;
  document.dispatchEvent(new CustomEvent("themechange"));
}

function closeMenus(event) {
  /** @type {NodeListOf<HTMLDetailsElement>} */
  const menus = document.querySelectorAll("details.menu[open]");
  for (const menu of menus) {
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
  time.title = when.toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
}

/** The server writes times in the zone of this cookie, unless the account has another (arena/web/i18n/readers.py). */
function tellZone() {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone || document.cookie.split("; ").includes(`crapette_zone=${zone}`)) return;
  const secure = location.protocol === "https:" ? "; secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API.
  document.cookie = `crapette_zone=${zone}; path=/; max-age=31536000; samesite=lax${secure}`;
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

const DOUBLE_CLICK_MS = 2000;
const sentAt = new WeakMap();

/** The second click of a double one sends nothing: the answer to the first, perhaps a secret shown once, would be lost. */
function sendOnce(event) {
  if (event.defaultPrevented || event.target.method !== "post") return;
  if (performance.now() - (sentAt.get(event.target) ?? Number.NEGATIVE_INFINITY) < DOUBLE_CLICK_MS) event.preventDefault();
  else sentAt.set(event.target, performance.now());
}

/**
 * What a word of the field means, beside it while it is pointed at or has the focus; its link leads to the glossary.
 * Without this module its title says the same.
 */
function termTip() {
  const tip = document.createElement("div");
  tip.id = "term-tip";
  tip.className = "termtip";
  tip.setAttribute("role", "tooltip");
  tip.popover = "manual";
  document.body.append(tip);
  let shown = null;

  const hide = () => {
    if (!shown) return;
    shown.removeAttribute("aria-describedby");
    shown = null;
    tip.hidePopover();
  };
  const show = ({ target }) => {
    const term = target.closest?.(".term");
    if (term === shown || tip.contains(target)) return;
    hide();
    if (!term) return;
    if (term.title) {
      term.dataset.meaning = term.title;
      term.removeAttribute("title"); // or the browser's own tip would cover this one
    }
    tip.textContent = term.dataset.meaning;
    shown = term;
    term.setAttribute("aria-describedby", tip.id);
    tip.showPopover();
    const word = term.getBoundingClientRect();
    const { width, height } = tip.getBoundingClientRect();
    const left = Math.max(8, Math.min(word.left, document.documentElement.clientWidth - width - 8));
    const below = word.bottom + 4;
    tip.style.left = `${left}px`;
    tip.style.top = `${below + height < window.innerHeight ? below : Math.max(8, word.top - height - 4)}px`;
  };
  document.addEventListener("pointerover", show);
  document.addEventListener("focusin", show);
  document.addEventListener("focusout", hide);
  document.addEventListener("keydown", ({ key }) => key === "Escape" && hide());
  document.addEventListener("scroll", hide, { capture: true, passive: true });
}

/**
 * `data-renew="10"`: a part of the page that asks for itself again every ten seconds, while somebody looks at it and
 * nothing in it has the focus. A page that did not change is answered without a body.
 */
function renewing() {
  const asked = new WeakMap();
  setInterval(() => {
    if (document.hidden) return;
    /** @type {NodeListOf<HTMLElement>} */
    const parts = document.querySelectorAll("[data-renew]");
    for (const part of parts) {
      if (!asked.has(part)) asked.set(part, performance.now());
      const waited = performance.now() - asked.get(part);
      if (waited < 1000 * Number(part.dataset.renew) || part.contains(document.activeElement)) continue;
      asked.set(part, performance.now());
      /** @type {any} */ (window).htmx?.trigger(part, "renew");
    }
  }, 1000);
}

/** A site notice that is dismissed goes without a new page: whoever watches or plays a game stays at it. */
function dismissNotice(event) {
  const form = event.target.closest?.("[data-dismiss]");
  if (!form) return;
  event.preventDefault();
  fetch(form.action, { method: "POST", headers: { "X-Requested-With": "fetch" } })
    .then((answer) => (answer.ok ? removeNotice(form.closest(".sitenotice")) : form.submit()))
    .catch(() => form.submit());
}

function removeNotice(notice) {
  const all = notice.parentElement;
  notice.remove();
  if (!all.querySelector(".sitenotice")) all.remove();
  document.getElementById("main")?.focus({ preventScroll: true });
}

/** A page that was left open shows no site notice that has ended. */
function endNotices() {
  /** @type {NodeListOf<HTMLElement>} */
  const notices = document.querySelectorAll(".sitenotice[data-ends]");
  for (const notice of notices) {
    if (Date.parse(notice.dataset.ends) <= Date.now()) notice.remove();
  }
  if (!document.querySelector(".sitenotice")) document.querySelector(".sitenotices")?.remove();
}

document.querySelector("[data-theme-toggle]")?.addEventListener("click", toggleTheme);
document.addEventListener("click", closeMenus);
document.addEventListener("keydown", closeMenus);
document.addEventListener("submit", confirmFirst);
document.addEventListener("submit", dismissNotice);
document.addEventListener("submit", sendOnce);
document.addEventListener("visibilitychange", endNotices);
endNotices();
document.body.addEventListener("htmx:afterSettle", (event) => fills(event.target));
document.addEventListener("pointerover", localTime);
if (HTMLElement.prototype.showPopover) termTip();
fills(document);
if (document.querySelector("[data-renew]")) renewing();
setTimeout(tellZone);

// A page of the site's own in place of one that cannot be reached.
if ("serviceWorker" in navigator) {
  const register = () => navigator.serviceWorker.register("/worker.js").catch((error) => console.info(error));
  addEventListener("load", () => setTimeout(register, 1000));
}
