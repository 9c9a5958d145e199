/** One line about what happens at the table, such as "Planner empties house 3: 62 %". */

import { kindName, pileOf, shortName, suitName } from "arena/replay/cards";
import { resultWords, toldWords } from "arena/replay/words";
import { SWING, percent } from "arena/replay/swings";
import { gettext } from "arena/words";

/** A comment stays for this many plies, unless another one follows. */
const HELD = 5;

const TOLD = ["forfeit", "end", "out", "stop", "emptied", "completed", "loadReserve", "house", "loadDiscard", "turned"];

/** What a seat did. */
function deed(mark, event, names) {
  const player = names[event.seat];
  switch (mark) {
    case "out":
      return gettext("{player} plays the last card", { player });
    case "stop":
      return gettext("{player} calls stop", { player });
    case "emptied":
      return gettext("{player} empties the reserve", { player });
    case "completed":
      return gettext("{player} completes {suit}", { player, suit: suitName(event.completed[1]) });
    case "loadReserve":
    case "loadDiscard": {
      const pile = pileOf(event.to);
      const said = { player, card: shortName(event.card), other: names[pile.seat], pile: kindName(pile.kind) };
      return gettext("{player} loads {card} on {other}’s {pile}", said);
    }
    case "house":
      return gettext("{player} empties house {number}", { player, number: pileOf(event.from).number });
    default:
      return gettext("{player} turns over the discard", { player });
  }
}

/** What was done, with the chance of its seat after so many events if that is known. */
function withChance(words, timeline, count, seat) {
  if (!timeline.win || count >= timeline.win.length) return words;
  const share = seat === 0 ? timeline.win[count] : 1 - timeline.win[count];
  return gettext("{name}: {words}", { name: words, words: `${Math.round(100 * share)} %` });
}

/** By how much an event changed the chance of its seat, if that is worth telling. */
function swing(timeline, count, seat) {
  const { win } = timeline;
  if (!win || count < 1 || count >= win.length) return "";
  const change = (win[count] - win[count - 1]) * (seat === 0 ? 1 : -1);
  return Math.abs(change) >= SWING ? ` (${percent(change)})` : "";
}

function told(timeline, count, names) {
  const event = timeline.events[count - 1];
  const mark = TOLD.find((one) => timeline.notes[count - 1].marks.includes(one));
  if (event.type === "end") return resultWords(event.result, names).sentence;
  if (event.type === "tick") return mark ? toldWords(event, names) : "";
  const change = swing(timeline, count, event.seat);
  if (!mark && !change) return "";
  const words = mark ? deed(mark, event, names) : toldWords(event, names);
  return `${withChance(words, timeline, count, event.seat)}${change}`;
}

/**
 * The line for a place in a game: what was last worth telling, or else simply the move.
 * @param {import("arena/replay/timeline").Timeline} timeline
 * @param {number} count of events carried out
 * @param {string[]} names by seat
 */
export function commentaryAt(timeline, count, names) {
  if (!count) return gettext("The cards are dealt.");
  for (let at = count; at > Math.max(0, count - HELD); at -= 1) {
    const words = told(timeline, at, names);
    if (words) return words;
  }
  return toldWords(timeline.events[count - 1], names);
}
