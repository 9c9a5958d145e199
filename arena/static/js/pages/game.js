/**
 * Puts a viewer together on every element that asks for one; one that is watched has a label of its own. A game that
 * ends while somebody watches turns into its replay, and the next one begins soon.
 */

import { Cast, bindPace } from "arena/broadcast/cast";
import { ReplayPage } from "arena/replay/page";
import { gettext } from "arena/words";

/** How often the page of the finished game is asked for, a second apart: its result may be stored a little later. */
const TRIES = 20;
/** So many seconds after its end the next game begins, if nobody does anything. */
const NEXT_SECONDS = 10;
/** What says that somebody stays. */
const GESTURES = ["pointerdown", "keydown", "wheel", "touchstart"];

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The page of the game as it is over, or nothing. */
async function finishedPage() {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const response = await fetch(location.pathname, { headers: { Accept: "text/html" } }).catch(() => null);
    const page = response?.ok ? new DOMParser().parseFromString(await response.text(), "text/html") : null;
    if (page?.querySelector("[data-cast]:not([data-again])")) return page;
    await pause(1000);
  }
  return null;
}

/** A game that is over has its page's tools: analysis, what-if, passages. It stands at its end. */
async function turnIntoReplay(live) {
  const page = await finishedPage();
  // Whoever has gone back to look at something keeps the table.
  if (!page || !live.page.transport.atEnd) return;
  const old = document.querySelector("main");
  const main = document.importNode(page.querySelector("main"), true);
  const focused = old.contains(document.activeElement);
  live.close();
  old.replaceWith(main);
  const cast = await watch(main.querySelector("[data-cast]"), { atEnd: true });
  /** @type {HTMLElement} */
  const play = main.querySelector("[data-do=play]");
  if (focused) play.focus({ preventScroll: true });
  offerNext(main, cast.game);
}

/** The next game that is on begins soon, unless somebody does something here. */
async function offerNext(main, game) {
  const place = main.querySelector("[data-next-game]");
  const response = await fetch(place?.dataset.nextGame ?? "", { headers: { Accept: "application/json" } }).catch(() => null);
  const { games } = response?.ok ? await response.json() : { games: [] };
  const next = games.find(({ id, running }) => running && id !== game);
  if (!next) return;
  const link = Object.assign(document.createElement("a"), { href: next.url, textContent: next.label });
  const words = document.createElement("span");
  place.replaceChildren(gettext("Next:"), " ", link, " ", words);
  place.hidden = false;
  const stays = new AbortController();
  let left = NEXT_SECONDS;
  const timer = setInterval(() => {
    if (document.hidden) return;
    left -= 1;
    words.textContent = gettext("in {time}. Press any key to stay.", { time: `0:${String(left).padStart(2, "0")}` });
    if (!left) location.assign(next.url);
  }, 1000);
  stays.signal.addEventListener("abort", () => {
    clearInterval(timer);
    words.textContent = "";
  });
  for (const gesture of GESTURES) document.addEventListener(gesture, () => stays.abort(), { signal: stays.signal, passive: true });
}

async function watch(watched, options = {}) {
  const cast = new Cast(watched, { isAsked: true, ...options, onOver: "again" in watched.dataset ? turnIntoReplay : undefined });
  bindPace(watched, (mode) => cast.setPace(mode));
  await cast.open();
  return cast;
}

/** @type {NodeListOf<HTMLElement>} */
const viewers = document.querySelectorAll("[data-viewer]");
for (const root of viewers) {
  /** @type {HTMLElement} */
  const watched = root.closest("[data-cast]");
  if (watched) watch(watched);
  else new ReplayPage(root).open();
}
