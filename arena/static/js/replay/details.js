/** Why a game ended, as the referee says it, in the language of the page and with names for seats. */

import { details } from "arena/words";

const PLACE = /%\((\w+)\)s/g;
/** Parts that are among the patterns themselves. */
const NESTED = new Set(["error", "fault"]);
const SEATS = 2;

const escaped = (/** @type {string} */ text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** A pattern as an expression with a group for each place. */
function expression(pattern) {
  const parts = pattern.split(PLACE);
  return new RegExp(`^${parts.map((part, at) => (at % 2 ? `(?<${part}>.+?)` : escaped(part))).join("")}$`, "s");
}

/** Where a translation has the words for a seat, only the seat's place, for a name. */
function named(translation) {
  return details.slice(0, SEATS).reduce((text, [, seat]) => {
    const [before, , after] = seat.split(PLACE);
    return text.replace(new RegExp(`${escaped(before)}(%\\((?:seat|one)\\)s)${escaped(after)}`, "g"), "$1");
  }, translation);
}

/** @type {{expression: RegExp, translation: string}[]} */
let patterns;

/** @returns {string | null} nothing if it fits no pattern */
function told(text, names) {
  patterns ??= details.slice(SEATS).map(([pattern, translation]) => ({ expression: expression(pattern), translation: named(translation) }));
  for (const { expression: fits, translation } of patterns) {
    const found = fits.exec(text);
    const parts = Object.entries(found?.groups ?? {}).map(([name, part]) => [name, partOf(name, part, names)]);
    if (found && parts.every(([, part]) => part !== null)) {
      const values = Object.fromEntries(parts);
      return translation.replace(PLACE, (_, name) => values[name]);
    }
  }
  return null;
}

function partOf(name, text, names) {
  if (NESTED.has(name)) return told(text, names);
  return name === "seat" || name === "one" ? names[text] ?? text : text;
}

/**
 * A sentence of the referee.
 * @param {string} detail
 * @param {string[]} names of the bots, by seat
 */
export function detailWords(detail, names) {
  return told(detail, names) ?? detail.replace(/[Ss]eat (\d)/g, (_, seat) => names[seat]);
}
