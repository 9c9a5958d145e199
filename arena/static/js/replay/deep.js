/**
 * The analysis by the strongest: a game judged by Oracle, once somebody asks for it. Until then the page shows the
 * quick analysis, and it always says which of the two it shows. Also the best lines where the viewer stands.
 */

import { node, write } from "arena/replay/writing";
import { jsonOf } from "arena/requests";
import { answered } from "arena/thought";
import { gettext, ngettext } from "arena/words";

/** So many moves of a line are written out, and drawn as arrows. */
const MOST_WORDS = 6;
const MOST_ARROWS = 4;

const points = (share) => `${Math.round(100 * share)} %`;

export class Deep {
  /**
   * @param {HTMLElement} panel with [data-deep-…] inside
   * @param {import("arena/replay/page").ReplayPage} page
   * @param {(values: object|null) => void} onChoose the evaluation to show: Oracle's, or null for the quick one
   */
  constructor(panel, page, onChoose) {
    this.page = page;
    this.onChoose = onChoose;
    this.address = page.root.dataset.deep;
    /** @type {(name: string) => any} elements of several kinds */
    this.find = (name) => panel.querySelector(`[data-deep-${name}]`);
    this.values = null;
    this.wanted = false;
    /** What was said last of where the viewer stands, so that it is written but once. */
    this.at = null;
    this.find("ask").addEventListener("click", () => this.ask());
    this.find("cancel").addEventListener("click", () => this.#stop(gettext("You stopped waiting.")));
    this.find("choice").addEventListener("change", (/** @type {Event & {target: HTMLInputElement}} */ event) => {
      this.choose(event.target.value === "oracle");
    });
    this.find("here").addEventListener("click", (/** @type {MouseEvent & {target: Element}} */ event) => {
      /** @type {HTMLElement} */
      const row = event.target.closest("[data-best]");
      if (row) this.#point(Number(row.dataset.decision), Number(row.dataset.best));
    });
    this.find("arrows").addEventListener("change", () => this.show(this.page.transport.count, true));
  }

  /** Shows what somebody had worked out before, if anybody did. */
  async open() {
    const response = await fetch(this.address, { headers: { Accept: "application/json" } }).catch(() => null);
    if (response?.status === 200) this.#take(await response.json());
  }

  /** Has the game judged, and shows how far that is. */
  async ask() {
    this.wanted = true;
    this.#working(true);
    this.#say(gettext("Waiting for Oracle…"));
    try {
      const response = await answered(() => this.#request(), {
        wanted: () => this.wanted && !this.page.ended.signal.aborted,
      });
      if (!response) return;
      this.#take(await jsonOf(response));
    } catch (error) {
      this.#stop(error.message);
    }
  }

  async #request() {
    const response = await fetch(`${this.address}?ask=1`, { headers: { Accept: "application/json" } });
    if (response.status === 202) {
      const { progress, ahead } = await response.clone().json();
      if (this.wanted) this.#progress(progress, ahead);
    }
    return response;
  }

  #progress(share, ahead) {
    this.find("progress").value = share;
    if (ahead) this.#say(ngettext("{count} game comes before this one.", "{count} games come before this one.", ahead));
    else this.#say(share ? gettext("Oracle has judged {share} % of the game.", { share }) : gettext("Oracle is beginning…"));
  }

  /** Nobody waits any more: the server notices that nobody asks, and gives up. */
  #stop(words) {
    this.wanted = false;
    this.#working(false);
    this.#say(words);
  }

  #working(on) {
    this.find("ask").hidden = on;
    this.find("cancel").hidden = !on;
    this.find("progress").hidden = !on;
    if (on) this.find("progress").value = 0;
  }

  #say(words) {
    write(this.find("state"), words);
  }

  #take(values) {
    this.values = values;
    this.wanted = false;
    this.#working(false);
    this.find("ask").hidden = true;
    this.#say("");
    this.find("choice").hidden = !this.page.root.dataset.values;
    this.choose(true);
  }

  /** Which evaluation the page shows from now on. */
  choose(oracle) {
    this.chosen = oracle && this.values !== null;
    for (const radio of this.find("choice").querySelectorAll("input")) radio.checked = (radio.value === "oracle") === this.chosen;
    /** @type {NodeListOf<HTMLElement>} */
    const said = this.find("choice").closest("section").querySelectorAll("[data-deep-by]");
    for (const words of said) words.hidden = (words.dataset.deepBy === "oracle") !== this.chosen;
    this.find("here").hidden = !this.chosen;
    this.find("pointing").hidden = !this.chosen;
    if (!this.chosen) this.page.arrows.clear();
    this.onChoose(this.chosen ? this.values : null);
    this.show(this.page.transport.count, true);
  }

  /** The decisions that fall to be made where the viewer stands, or the one that is being carried out there. */
  #decisions(count) {
    const found = this.values.decisions;
    const last = found.findLast(({ at }) => at <= count);
    return last ? found.flatMap((one, index) => (one.at === last.at ? [{ ...one, index }] : [])) : [];
  }

  /** Tells the best lines of the place where the viewer stands. */
  show(count, again = false) {
    if (!this.chosen || this.page.explorer?.active) return;
    const decisions = this.#decisions(count);
    const at = decisions[0]?.at ?? -1;
    if (at !== this.at || again) {
      this.at = at;
      this.find("here").replaceChildren(...decisions.map((one) => this.#told(one)));
    }
    if (this.find("arrows").checked && at === count && !this.page.transport.playing) {
      this.page.arrows.show(decisions.flatMap((one) => this.#arrows(one, 0)));
    }
  }

  #arrows({ seat, lines }, best, tone = "good") {
    return lines[best].moves.slice(0, MOST_ARROWS).map(({ move }) => ({ move, seat, tone }));
  }

  #told(one) {
    const { names } = this.page;
    const box = node("div", "deep__decision");
    const head = node("p", "deep__head");
    head.append(node("b", "", names[one.seat]), ` ${gettext("at ply {ply}", { ply: one.ply + 1 })}`);
    if (one.proved) head.append(" · ", node("span", "deep__proved", gettext("solved")));
    box.append(head);
    const list = node("ol", "deep__lines");
    const same = (line) => line.moves.map(({ move }) => move).join() === one.played.map(({ move }) => move).join();
    one.lines.forEach((line, best) => {
      const item = node("li");
      const button = node("button", "deep__line");
      button.type = "button";
      button.dataset.best = best;
      button.dataset.decision = one.index;
      const words = best ? this.#other(line.moves, one.lines[0].moves) : this.#words(line.moves);
      button.append(node("b", "deep__win", points(line.win)), node("span", "", words));
      if (same(line)) button.append(node("span", "deep__played", gettext("played")));
      item.append(button);
      list.append(item);
    });
    box.append(list);
    if (one.win !== null && !one.lines.some(same)) {
      const values = { win: points(one.win), cost: points(one.cost), line: this.#words(one.played) };
      const words = one.cost ? gettext("Played, {win}, {cost} less: {line}", values) : gettext("Played, {win}: {line}", values);
      box.append(node("p", "small muted", words));
    }
    return box;
  }

  /** A line that begins like the best one is told from where it goes another way. */
  #other(moves, best) {
    const same = moves.findIndex(({ move }, index) => move !== best[index]?.move);
    if (same < 3) return this.#words(moves);
    return gettext("The same {count} moves, then {line}", { count: same, line: this.#words(moves.slice(same)) });
  }

  #words(moves) {
    const more = moves.length - MOST_WORDS;
    return moves.slice(0, MOST_WORDS).map(({ words }) => words).join(", ") + (more > 0 ? ` ${gettext("and {count} more", { count: more })}` : "");
  }

  /** Goes to where a line begins, and draws it there. */
  #point(index, best) {
    const one = this.values.decisions[index];
    this.page.transport.seek(one.at, { duration: 0 });
    this.page.arrows.show(this.#arrows(one, best));
  }
}
