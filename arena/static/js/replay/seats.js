/** The panels of the seats: bot, clock, whose turn, cards left, and what the bot said last. */

import { flagOf } from "arena/ticks/words";
import { pointsOf } from "arena/ticks/tick";
import { commentsOf } from "arena/replay/said";
import { clockWords } from "arena/replay/words";
import { write } from "arena/replay/writing";
import { gettext, ngettext } from "arena/words";

/** A seat's cards and points in a game in ticks. */
function tickCounts(table, seat) {
  const points = ngettext("{count} point", "{count} points", pointsOf(table, seat).sum);
  return `${gettext("{count} left", { count: table.left(seat) })}, ${points}`;
}

export class Seats {
  /** @param {HTMLElement[]} panels one a seat, with [data-clock], [data-left], [data-note] inside */
  constructor(panels, timeline) {
    this.panels = panels;
    this.timeline = timeline;
    this.parts = panels.map((panel) => ({
      panel,
      clock: panel.querySelector("[data-clock]"),
      left: panel.querySelector("[data-left]"),
      note: panel.querySelector("[data-note]"),
      flag: panel.querySelector("[data-flag]"),
    }));
  }

  show(table, count) {
    const note = this.timeline.at(count);
    const over = count === this.timeline.length && this.timeline.result;
    const last = this.timeline.events[count - 1];
    this.parts.forEach(({ panel, clock, left, flag, note: words }, seat) => {
      if (clock) write(clock, clockWords(note.clocks?.[seat]));
      const cards = table.left(seat);
      write(left, table.inTicks ? tickCounts(table, seat) : gettext("{count} left", { count: cards }));
      if (flag) write(flag, flagOf(last, seat));
      panel.classList.toggle("is-out", cards === 0);
      panel.classList.toggle("is-winner", Boolean(over && over.ranking?.length > 1 && over.ranking[0].includes(seat)));
      if (words) write(words, this.#comment(seat, count));
    });
  }

  /** The last comment of a seat within its last turn shown. */
  #comment(seat, count) {
    const { events, notes } = this.timeline;
    for (let index = count - 1; index >= 0 && index > count - 40; index -= 1) {
      const [, said] = commentsOf(events[index]).find(([by]) => by === seat) ?? [];
      if (said) return said;
      if (notes[index].ended && events[index].seat === seat && index < count - 1) break;
    }
    return "";
  }
}
