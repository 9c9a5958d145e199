/** The moves of the game, newest first, in words. */

import { writeTick } from "arena/ticks/rows";
import { toldWords } from "arena/replay/words";
import { gettext } from "arena/words";

export class MoveLog {
  constructor(list, names) {
    this.list = list;
    this.names = names;
    this.count = 0;
    this.turn = null;
  }

  add(event) {
    const line = document.createElement("li");
    line.dataset.n = String(this.count);
    line.dataset.seat = event.seat ?? "";
    if (event.type === "tick") writeTick(line, event, this.names);
    else line.textContent = event.type === "end" ? gettext("The game is over.") : toldWords(event, this.names);
    this.list.prepend(line);
    this.count += 1;
  }

  /** Forgets what was taken back. */
  keep(count) {
    while (this.count > count && this.list.firstElementChild) {
      this.list.firstElementChild.remove();
      this.count -= 1;
    }
  }
}
