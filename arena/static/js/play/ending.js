/** What decided a game that is over: how much was luck, and its three turning points. An analysis process works it out. */

import { percent } from "arena/replay/swings";
import { answered } from "arena/thought";
import { gettext } from "arena/words";

/** Less luck than this is not worth naming. */
const HARDLY = 0.05;
/** So many moves of a line are written out. */
const MOST_WORDS = 4;

/**
 * What luck was worth, in a few words.
 * @param {number} luck in points of a game for the person
 */
export function luckWords(luck) {
  return Math.abs(luck) < HARDLY ? gettext("Luck hardly mattered.") : gettext("Luck: {share}", { share: percent(luck) });
}

/**
 * A turning point in words: whose move, what it was, what it changed for the person, and why.
 * @param {{seat: number, words: string, change: number, luck: number, skill: number}} moment
 * @param {number} seat the person's
 */
export function momentWords({ seat: mover, words, change, luck, skill }, seat) {
  const who = mover === seat ? gettext("you") : gettext("the bot");
  const choice = mover === seat ? gettext("your choice") : gettext("its choice");
  const why = Math.abs(luck) > Math.abs(skill) ? gettext("the card") : choice;
  const gain = percent(seat === 0 ? change : -change);
  return gettext("{who}: {words} ({why}, {gain})", { who, words, why, gain });
}

/**
 * The one turn to learn from: the own one that cost most, or nothing if none was clearly wrong.
 * @template {{seat: number, cost: number}} Mistake
 * @param {Mistake[]} mistakes
 * @param {number} seat the person's
 */
export function lessonOf(mistakes, seat) {
  return mistakes.filter((one) => one.seat === seat).toSorted((one, other) => other.cost - one.cost)[0] ?? null;
}

/** The first moves of a line in words. */
function lineWords(line) {
  const words = line.slice(0, MOST_WORDS).map((one) => one.words);
  return line.length > MOST_WORDS ? `${words.join(", ")}, …` : words.join(", ");
}

/**
 * Shows that the game is over, as the moment it is: what can be done no more goes, what comes next is there.
 * @param {HTMLElement} root of the table
 * @param {{heading: string, sentence: string, won: boolean}} ending
 */
export function showEnding(root, { heading, sentence, won }) {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".play__bar [data-do], .play__bar .play__pace"))) {
    button.hidden = !["settings", "help"].includes(button.dataset.do);
  }
  for (const rest of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-offered], .play__legal"))) rest.hidden = true;
  /** @type {HTMLElement} */
  const box = root.querySelector("[data-over]");
  /** @type {HTMLElement} */
  const next = box.querySelector("[data-next-level]");
  /** @type {HTMLElement} */
  const title = box.querySelector("[data-heading]");
  box.hidden = false;
  box.classList.toggle("is-won", won);
  if (next) next.hidden = !won;
  box.querySelector("[data-rematch]").classList.toggle("btn--primary", !(won && next));
  title.textContent = (won && box.dataset.beaten) || heading;
  box.querySelector("[data-sentence]").textContent = sentence;
  box.scrollIntoView({ block: "nearest" });
  // The button that was pressed last may be gone.
  title.focus({ preventScroll: true });
  tellEnding(box);
}

/**
 * Fills the panel of a game that is over.
 * @param {HTMLElement} panel [data-over]; without [data-values] there is nothing to tell
 */
export async function tellEnding(panel) {
  const { values: address, replay, seat } = panel.dataset;
  if (!address || panel.dataset.told) return;
  panel.dataset.told = "asked";
  tellLesson(panel);
  const words = panel.querySelector("[data-luck]");
  const list = panel.querySelector("[data-turning]");
  try {
    const response = await answered(() => fetch(address, { headers: { Accept: "application/json" } }), {
      wanted: () => panel.isConnected,
    });
    if (!response) return;
    if (response.status === 403) {
      words.textContent = gettext("You gave up this game. You can see its cards when the day is over, at midnight UTC.");
      return;
    }
    if (!response.ok) throw new Error(gettext("The server answered {status}.", { status: response.status }));
    const values = await response.json();
    const sign = Number(seat) === 0 ? 1 : -1;
    const luck = luckWords(sign * values.luck.reduce((sum, one) => sum + one, 0));
    words.textContent = values.moments.length ? luck : `${luck} ${gettext("No move or card changed much.")}`;
    list.replaceChildren(...values.moments.map((moment) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = `${replay}#${moment.ply}`;
      link.textContent = gettext("Ply {ply}, {words}", { ply: moment.ply, words: momentWords(moment, Number(seat)) });
      item.append(link);
      return item;
    }));
    panel.dataset.told = "done";
  } catch (error) {
    words.textContent = `${gettext("We could not work out what decided this game.")} ${error.message}`;
    panel.dataset.told = "failed";
  }
}

/** Says which turn to learn from, with what would have been better. */
async function tellLesson(panel) {
  const { mistakes, replay, seat } = panel.dataset;
  const words = panel.querySelector("[data-lesson]");
  try {
    const response = await answered(() => fetch(mistakes, { headers: { Accept: "application/json" } }), {
      wanted: () => panel.isConnected,
    });
    if (!response) return;
    if (!response.ok) throw new Error(String(response.status));
    /** @type {any} */
    const lesson = lessonOf((await response.json()).mistakes, Number(seat));
    if (!lesson) {
      words.textContent = gettext("You made no clear mistake.");
      return;
    }
    const link = document.createElement("a");
    link.href = `${replay}#${lesson.ply}`;
    link.textContent = gettext("The turn to learn from, at ply {ply}", { ply: lesson.ply });
    const better = gettext("you played {played}; better: {better} ({gain})", {
      played: lineWords(lesson.played), better: lineWords(lesson.better), gain: percent(lesson.cost),
    });
    words.replaceChildren(link, `: ${better}.`);
  } catch {
    // What is not known in time is not missed: luck and turning points are told by themselves.
    words.hidden = true;
  }
}
