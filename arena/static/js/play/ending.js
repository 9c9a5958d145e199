/** What decided a game that is over: how much was luck, and its three turning points. An analysis process works it out. */

import { percent } from "arena/replay/swings";
import { answered } from "arena/thought";
import { gettext } from "arena/words";

/** Less luck than this is not worth naming. */
const HARDLY = 0.05;

/**
 * What luck was worth, in a sentence.
 * @param {number} luck in points of a game for the person
 */
export function luckWords(luck) {
  const share = Math.round(100 * Math.abs(luck));
  if (Math.abs(luck) < HARDLY) return gettext("Luck hardly mattered.");
  const worth = share >= 95 ? gettext("a whole game") : gettext("{share} % of a game", { share });
  return luck > 0
    ? gettext("Luck was on your side: it was worth {worth}.", { worth })
    : gettext("Luck was against you: it cost you {worth}.", { worth });
}

/**
 * A turning point in words: whose move, what it was, what it changed for the person, and why.
 * @param {{seat: number, words: string, change: number, luck: number, skill: number}} moment
 * @param {number} seat the person's
 */
export function momentWords({ seat: mover, words, change, luck, skill }, seat) {
  const who = mover === seat ? gettext("you") : gettext("the bot");
  const why = Math.abs(luck) > Math.abs(skill) ? gettext("the card that turned up") : gettext("the choice of move");
  const gain = percent(seat === 0 ? change : -change);
  return gettext("{who}: {words} ({gain} for you, because of {why})", { who, words, gain, why });
}

/**
 * Fills the panel of a game that is over.
 * @param {HTMLElement} panel [data-over]; without [data-values] there is nothing to tell
 */
export async function tellEnding(panel) {
  const { values: address, replay, seat } = panel.dataset;
  if (!address || panel.dataset.told) return;
  panel.dataset.told = "asked";
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
