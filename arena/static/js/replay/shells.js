/** Shows a record that did not come with its page: from a file, or from `crapette replay`. The page has an empty
 * table for each number of seats, in a template. */

import { ReplayPage } from "arena/replay/page";
import { gettext } from "arena/words";

/** What is said of a file that is no record. */
export class NoRecord extends Error {}

/** The record, if it is one as far as a viewer reads it. */
export function checked(record) {
  const seats = record?.seats;
  if (record?.format !== 1 || typeof record.start !== "string" || !Array.isArray(record.events) || !Array.isArray(seats))
    throw new NoRecord(gettext("This is not a game record."));
  if (seats.length < 2 || seats.length > 4 || seats.some((seat) => typeof seat?.bot !== "string"))
    throw new NoRecord(gettext("This is not a game record: it needs two to four seats, each with the name of its bot."));
  if (record.events.some((event) => typeof event?.type !== "string")) throw new NoRecord(gettext("This game record is damaged: one of its events has no type."));
  return record;
}

/** An empty table for the record's seats, with their names. */
export function tableFor(record) {
  const ticks = record.variant === "vitesse" ? "[data-ticks]" : ":not([data-ticks])";
  /** @type {HTMLTemplateElement} */
  const shell = document.querySelector(`template[data-players="${record.seats.length}"]${ticks}`);
  if (!shell) throw new NoRecord(gettext("No such game has this number of seats."));
  /** @type {HTMLElement} */
  const root = document.importNode(shell.content, true).querySelector("[data-viewer]");
  root.querySelectorAll(".seat__name > span:first-child").forEach((name, seat) => {
    name.textContent = record.seats[seat].bot;
  });
  return root;
}

/** Shows a record in a table; answers the viewer. */
export async function shown(record, root, place) {
  place.replaceChildren(root);
  const viewer = new ReplayPage(root);
  await viewer.show(record);
  return viewer;
}

/** Says of what is shown which game it is. */
export function inWords(record) {
  return `${record.variant}, ${record.seats.map(({ bot }) => bot).join(" – ")}`;
}
