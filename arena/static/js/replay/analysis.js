/**
 * The analysis beside a finished game: the greatest swings, each split into luck and skill, and the mistakes,
 * where the house planner would have done clearly better, with its line, or a win was thrown away. Both are asked for when first looked at.
 */

import { greatest, percent, swingsOf } from "arena/replay/swings";
import { commentaryAt } from "arena/replay/commentary";
import { node } from "arena/replay/writing";
import { jsonOf } from "arena/requests";
import { answered } from "arena/thought";
import { gettext } from "arena/words";

const MOST_SWINGS = 14;
/** So many moves of a line are written out; the others are seen by playing it. */
const MOST_WORDS = 5;

/** A bar with luck and skill to the left (for seat 1) or right (for seat 0) of its middle. */
function splitBar({ luck, skill }) {
  const bar = node("span", "swing__bar");
  bar.setAttribute("aria-hidden", "true");
  for (const [kind, value] of [["luck", luck], ["skill", skill]]) {
    const part = node("i", `swing__part swing__part--${kind}`);
    part.style.setProperty("--from", Math.min(0, value));
    part.style.setProperty("--size", Math.abs(value));
    bar.append(part);
  }
  return bar;
}

/** What a swing changed for whom (null: for the reader), and what of it was luck or skill. */
function swingWords({ change, luck, skill }, player) {
  const signed = (points) => percent(points * Math.sign(change));
  const said = { player, sum: percent(Math.abs(change)), luck: signed(luck), skill: signed(skill) };
  if (player === null) return gettext("{sum} for you: luck {luck}, skill {skill}", said);
  return gettext("{sum} for {player}: luck {luck}, skill {skill}", said);
}

/** What a solved position says of a mistake. */
function proof({ cost, won = true }) {
  if (cost === 1) return gettext("Won here, lost after this move.");
  return won ? gettext("Won here, a draw after this move.") : gettext("A draw here, lost after this move.");
}

export class Analysis {
  /**
   * @param {HTMLElement} panel with [data-swings] and [data-mistakes] inside
   * @param {import("arena/replay/page").ReplayPage} page
   */
  constructor(panel, page) {
    this.page = page;
    this.swings = panel.querySelector("[data-swings]");
    this.mistakes = panel.querySelector("[data-mistakes]");
    this.asking = null;
    /** Mistakes that the quick analysis found, and those that are shown. */
    this.quick = null;
    this.found = [];
    panel.addEventListener("click", (/** @type {MouseEvent & {target: Element}} */ event) => {
      /** @type {HTMLElement} */
      const row = event.target.closest("[data-count], [data-mistake], [data-line]");
      if (row?.dataset.count) page.transport.seek(Number(row.dataset.count));
      else if (row?.dataset.mistake) this.#point(this.found[row.dataset.mistake]);
      else if (row) this.#show(this.found[row.closest("li").dataset.index]);
    });
  }

  /** The panel is looked at: whatever is still missing is fetched. Gives what was found, once it is. */
  open() {
    this.asking ??= this.#ask();
    return this.asking;
  }

  async #ask() {
    const { mistakes } = this.page.root.dataset;
    if (!mistakes) return [];
    try {
      const headers = { Accept: "application/json" };
      const response = await answered(() => fetch(mistakes, { headers }));
      const answer = await jsonOf(response);
      this.quick = answer.mistakes;
      if (!this.judged) this.#tell(this.quick, "Planner");
    } catch (error) {
      this.asking = null;
      this.mistakes.replaceChildren(node("p", "muted", `${gettext("We could not look for mistakes.")} ${error.message}`));
    }
    return this.found;
  }

  /** Shows Oracle's mistakes from now on, or the quick ones again. */
  judge(values) {
    this.judged = values;
    if (values) this.#tell(values.mistakes, "Oracle");
    else if (this.quick) this.#tell(this.quick, "Planner");
  }

  #tell(found, judge) {
    this.found = found;
    this.#listMistakes(judge);
    this.page.scrub.point(found.map(({ at, seat }) => ({ count: at, seat })));
  }

  /** Who was expected to win all through the game is known now. */
  expect(values) {
    const { names, timeline } = this.page;
    const rows = greatest(swingsOf(values), MOST_SWINGS).map((swing) => {
      const { turn } = timeline.at(swing.count);
      const item = node("li");
      const button = node("button", "swing");
      button.type = "button";
      button.dataset.count = swing.count;
      const seat = swing.change > 0 ? 0 : 1;
      const gains = seat === names.you ? null : names[seat];
      button.append(
        node("span", "ply__number", turn + 1),
        node("span", "swing__words", commentaryAt(timeline, swing.count, names)),
        splitBar(swing),
        node("span", "swing__sum", swingWords(swing, gains)),
      );
      item.append(button);
      return item;
    });
    if (rows.length) this.swings.replaceChildren(...rows);
    else this.swings.replaceChildren(node("li", "muted", gettext("No single card or turn changed much.")));
  }

  #listMistakes(judge) {
    const { names } = this.page;
    if (!this.found.length) {
      this.mistakes.replaceChildren(node("p", "muted", gettext("{judge} found no clearly better line, and no win was thrown away.", { judge })));
      return;
    }
    const list = node("ol", "mistakes");
    this.found.forEach((mistake, index) => {
      const item = node("li", "mistake");
      item.dataset.index = index;
      const head = node("button", "mistake__head");
      head.type = "button";
      head.dataset.mistake = index;
      head.append(node("span", "ply__number", mistake.ply + 1), node("b", "", names[mistake.seat]), node("span", "mistake__cost", percent(-mistake.cost)));
      const line = (label, moves) => {
        const words = node("p", "mistake__line");
        const told = moves.slice(0, MOST_WORDS).map((one) => one.words).join(", ");
        const more = moves.length - MOST_WORDS;
        words.append(node("span", "muted", `${label} `), told, more > 0 ? ` ${gettext("and {count} more", { count: more })}` : "");
        return words;
      };
      const show = node("button", "btn btn--small", gettext("Play the better line"));
      show.type = "button";
      show.dataset.line = "";
      if (mistake.proved) item.append(head, node("p", "mistake__proof", proof(mistake)));
      else item.append(head);
      const wins = mistake.proved && mistake.won !== false;
      item.append(line(gettext("Played:"), mistake.played), line(wins ? gettext("Wins:") : gettext("Better:"), mistake.better));
      if (this.page.explorer) item.append(show);
      list.append(item);
    });
    this.mistakes.replaceChildren(list);
  }

  /** Goes to where the mistake was made, with what was played in red and the better move in green. */
  #point(mistake) {
    const { transport, arrows } = this.page;
    transport.seek(mistake.at, { duration: 0 });
    const { seat } = mistake;
    arrows.show([{ move: mistake.played[0].move, seat, tone: "bad" }, { move: mistake.better[0].move, seat, tone: "good" }]);
  }

  #show(mistake) {
    const { transport, explorer } = this.page;
    transport.seek(mistake.at, { duration: 0 });
    explorer.enter(mistake.better.map(({ move }) => move));
  }
}
