/**
 * Hints in four steps, each of which tells more than the last one. What the page knows by itself, a rule of thumb, is
 * told at once; what the server finds takes its place, and if it finds nothing in time the rule stands.
 */

import { gettext } from "arena/words";

const STEPS = 4;

export class Hints {
  /**
   * @param {import("arena/play/seat").SeatPage} page
   *   point(source, move) points out the pile, and once the move is told where it goes; thumb() is what looks best
   */
  constructor(page) {
    this.page = page;
    this.step = 0;
  }

  /** The table has changed: the next hint is a first one again. */
  restart() {
    this.step = 0;
  }

  async next() {
    const { page } = this;
    this.step = Math.min(STEPS, this.step + 1);
    const { step } = this;
    // In ticks the other acts as well while one thinks: there a hint is for the tick.
    const table = () => page.state?.tick ?? page.state?.revision;
    const asked = table();
    const rule = this.#rule();
    page.bar.say(rule);
    try {
      const hint = await page.client.hint(step, {
        wanted: () => table() === asked && step === this.step,
        slow: () => page.bar.say([rule, gettext("Looking for something better…")].join(" ").trim()),
      });
      if (!hint) return;
      const { words, source, move } = hint;
      page.bar.say(step < STEPS ? `${words} ${gettext("Press again for more.")}` : words);
      page.point(source, move);
    } catch (error) {
      if (table() === asked && step === this.step) page.bar.say(rule || error.message, !rule);
    }
  }

  /** The rule of thumb in words, with its pile pointed out: first where to look, then what to play and why. */
  #rule() {
    const thumb = this.page.thumb();
    if (!thumb) return "";
    const { source, move, words, why } = thumb;
    const isFirst = this.step === 1 && source;
    this.page.point(source, isFirst ? undefined : move);
    if (!isFirst) return gettext("Rule of thumb: {move}. {why}", { move: words, why });
    return `${gettext("Rule of thumb: look at {pile}.", { pile: this.page.view.pileWords(source) })} ${gettext("Press again for more.")}`;
  }
}
