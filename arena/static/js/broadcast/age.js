/** How old what a table shows is, and what may therefore be said of it. Nothing is live that is not. */

import { gettext, ngettext } from "arena/words";

/** What happened at most so long ago is live. */
const LIVE_MS = 3000;
/** After so long nobody calls it delayed any more. */
const REPLAY_MS = 10 * 60_000;

/** When each event of a game was played, by this computer's clock. */
export class Played {
  /** @param {{started: number|null, finished: number|null}} times by this computer's clock */
  constructor({ started, finished }) {
    this.finished = finished;
    /** Pairs of how many events there were, and when. Between two of them the game went on evenly. */
    this.points = started === null ? [] : [[0, started]];
  }

  /** So many events are there now. */
  grew(length, now = Date.now()) {
    const last = this.points.at(-1);
    if (this.finished === null && (!last || length > last[0])) this.points.push([length, now]);
  }

  /** The game is over, and was a moment ago if nothing says since when. */
  end(now = Date.now()) {
    this.finished ??= now;
  }

  /** When the event that makes `count` was played; `length` of them are there. Null if nobody knows. */
  at(count, length) {
    const points = this.finished !== null && this.points.length === 1 ? [...this.points, [length, this.finished]] : this.points;
    const after = points.findIndex(([events]) => events >= count);
    if (after === -1) return this.finished ?? points.at(-1)?.[1] ?? null;
    if (after === 0) return points[0][1];
    const [[fewer, earlier], [more, later]] = [points[after - 1], points[after]];
    return earlier + ((later - earlier) * (count - fewer)) / Math.max(1, more - fewer);
  }
}

function ago(ms) {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  if (hours < 48) return `${hours} h`;
  const days = Math.round(hours / 24);
  return ngettext("{count} day", "{count} days", days);
}

/**
 * The label of a table: {kind: "live"|"delayed"|"replay"|"over"|"lost", words}.
 * @param {{age: number|null, running: boolean, newest: boolean, atEnd: boolean, lost: boolean, wasOver?: boolean}} shown
 *   age: milliseconds since what is shown was played; running: the game is not over; newest: nothing is known that
 *   is not shown; atEnd: the end of a game that is over is shown; lost: the connection is;
 *   wasOver: the game was over when somebody asked for it
 */
export function labelOf({ age, running, newest, atEnd, lost, wasOver = false }) {
  if (running && lost) return { kind: "lost", words: gettext("Reconnecting…") };
  if (running && (newest || (age !== null && age <= LIVE_MS))) return { kind: "live", words: gettext("Live") };
  if (atEnd) return { kind: "over", words: age === null ? gettext("Finished") : gettext("Finished {time} ago", { time: ago(age) }) };
  if (age !== null && age < REPLAY_MS && !wasOver) return { kind: "delayed", words: gettext("Delayed by {time}", { time: ago(age) }) };
  return { kind: "replay", words: age === null ? gettext("Replay") : gettext("Replay, played {time} ago", { time: ago(age) }) };
}
