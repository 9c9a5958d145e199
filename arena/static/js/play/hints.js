/** Hints in four steps, each of which tells more than the last one. */

import { gettext } from "arena/words";

const STEPS = 4;

export class Hints {
  /**
   * @param {import("arena/play/seat").SeatPage} page
   *   point(source, move) points out the pile, and once the move is told where it goes
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
    try {
      const hint = await page.client.hint(step, {
        wanted: () => table() === asked,
        slow: () => page.bar.say(gettext("Thinking…")),
      });
      if (!hint) return;
      const { words, source, move } = hint;
      page.bar.say(step < STEPS ? `${words} ${gettext("Press again for more.")}` : words);
      page.point(source, move);
    } catch (error) {
      page.bar.say(error.message, true);
    }
  }
}
