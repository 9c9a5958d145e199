/** A tick as it stands in lists of moves: what each seat did, one above the other, with the colour of its seat. */

import { partsOf } from "arena/ticks/words";
import { labelled } from "arena/words";

/** Fills an element with the parts of a tick. */
export function writeTick(parent, event, names) {
  for (const { seat, words, tone } of partsOf(event, names.you)) {
    const part = document.createElement("span");
    part.className = `tick${tone ? ` tick--${tone}` : ""}`;
    part.dataset.seat = String(seat);
    const who = document.createElement("span");
    who.className = "visually-hidden";
    who.textContent = labelled(names[seat], "");
    part.append(who, words);
    parent.append(part);
  }
}
