/**
 * Why the winner won: the turn that decided the game, with the better line as arrows. It is the costliest mistake of
 * who lost, or without a grave one the turn that changed the chances most.
 */

import { percent } from "arena/replay/swings";
import { resultWords } from "arena/replay/words";
import { commentaryAt } from "arena/replay/commentary";
import { drawn } from "arena/soon";
import { gettext } from "arena/words";

/** So long it waits for the mistakes to be found; without them it goes by the chances alone. */
const WAIT_MS = 15_000;

/** A mistake decides a game if it cost this share of what the greatest turn brought, at least. */
const DECIDES = 0.5;
/** So many moves of the better line are written out, and drawn. */
const MOST_MOVES = 4;

/**
 * @typedef {{at: number, seat: number, cost: number, played: {move: string, words: string}[], better: {move: string, words: string}[]}} Mistake
 */

/** The turn that changed the chances most for the winner, by where it begins; null without chances. */
function greatestTurn({ turns, win, length }, winner) {
  if (!win) return null;
  const of = (count) => (winner === 0 ? win[count] : 1 - win[count]);
  const gains = turns.map(({ seat, first }, index) => {
    const end = Math.min(win.length - 1, turns[index + 1]?.first ?? length);
    return { seat, first, end, gain: of(end) - of(first) };
  });
  return gains.reduce((best, one) => (one.gain > (best?.gain ?? 0) ? one : best), null);
}

export class Decisive {
  /** @param {import("arena/replay/page").ReplayPage} page of a finished game whose chances and mistakes are known, if anybody knows them */
  constructor(page) {
    this.page = page;
    const { ranking } = page.timeline.result;
    this.winner = ranking.length > 1 && ranking[0].length === 1 ? ranking[0][0] : null;
  }

  /** Where the game was decided: {at, words, arrows, line}; null if nobody can tell. */
  find(/** @type {Mistake[]} */ mistakes) {
    const { timeline, names } = this.page;
    if (this.winner === null) return null;
    const worst = mistakes.filter(({ seat }) => seat !== this.winner).sort((one, other) => other.cost - one.cost)[0];
    const turn = greatestTurn(timeline, this.winner);
    // A slip decides nothing where a card or a turn moved the game far more.
    if (worst && worst.cost >= DECIDES * (turn?.gain ?? 0)) return this.#mistake(worst);
    if (!turn) return null;
    const moves = timeline.events.slice(turn.first, turn.end).filter(({ move }) => move);
    // What is drawn does not lie on the table yet.
    const drawn = moves.findIndex(({ move }) => move === "draw");
    const arrows = moves.slice(0, Math.min(MOST_MOVES, drawn < 0 ? MOST_MOVES : drawn + 1))
      .map(({ move, seat }) => ({ move, seat, tone: seat === this.winner ? "good" : "bad" }));
    const number = timeline.at(turn.first + 1).turn + 1;
    const words = gettext("Turn {turn} decided it: {line}", { turn: number, line: commentaryAt(timeline, turn.end, names) });
    return { at: turn.first, words, arrows, line: null };
  }

  #mistake({ at, seat, cost, played, better }) {
    const { timeline, names } = this.page;
    const told = (moves) => moves.slice(0, MOST_MOVES).map(({ words }) => words).join(", ");
    const values = { turn: timeline.at(at + 1).turn + 1, player: names[seat], played: told(played), better: told(better), cost: percent(-cost) };
    return {
      at,
      words: seat === names.you
        ? gettext("Turn {turn} decided it. You played {played} ({cost}). Better: {better}", values)
        : gettext("Turn {turn} decided it. {player} played {played} ({cost}). Better: {better}", values),
      arrows: [
        { move: played[0].move, seat, tone: "bad" },
        ...better.slice(0, MOST_MOVES).map(({ move }) => ({ move, seat, tone: "good" })),
      ],
      line: better.map(({ move }) => move),
    };
  }

  /** How the game ended, where no turn decided it. */
  get ending() {
    return resultWords(this.page.timeline.result, this.page.names).sentence;
  }
}

/**
 * Stands at the turn that decided the game, with the better line as arrows, and says why; gives the place, if anybody
 * can tell.
 * @param {import("arena/replay/page").ReplayPage} page of a finished game
 */
export async function explain(page) {
  const { transport, explorer, status } = page;
  page.reveal();
  transport.pause();
  const decisive = new Decisive(page);
  status.explain(gettext("Looking for the turn that decided the game…"));
  await page.expected;
  const mistakes = await Promise.race([page.analysis?.open(), new Promise((resolve) => setTimeout(resolve, WAIT_MS))]);
  const found = decisive.find(mistakes ?? []);
  const play = () => {
    transport.seek(found.at, { duration: 0 });
    explorer.enter(found.line);
  };
  status.explain(found?.words ?? decisive.ending, found?.line && explorer ? play : null);
  if (!found) {
    transport.toEnd();
    return null;
  }
  transport.seek(found.at, { duration: 0 });
  await drawn();
  page.arrows.show(found.arrows);
  return found;
}
