/** Events and results in words. Names are given by seat. */

import { spokenTick, tickWords } from "arena/ticks/words";
import { detailWords } from "arena/replay/details";
import { kindName, pileOf, shortName, suitName } from "arena/replay/cards";
import { decimal, gettext, labelled, ngettext, pgettext } from "arena/words";

/**
 * Names by seat; `you` is the seat of the reader, if they play: sentences about it say "you".
 * @typedef {string[] & {you?: number}} Names
 */

/**
 * The names of a table at which the reader sits.
 * @param {string[]} names
 * @param {number} you
 * @returns {Names}
 */
export function namesWithYou(names, you) {
  return Object.assign(names.map((name, seat) => (seat === you ? gettext("You") : name)), { you });
}

const YOUR_PILES = { reserve: gettext("your reserve"), discard: gettext("your discard"), hand: gettext("your hand") };

/**
 * A pile as the target or source of a seat's move: "house 3", "foundation", "Oracle’s discard".
 * @param {string} name
 * @param {number} seat that moves
 * @param {Names} names
 */
export function placeWords(name, seat, names) {
  const pile = pileOf(name);
  if (pile.kind === "house") return gettext("house {number}", { number: pile.number });
  if (pile.kind === "foundation") return gettext("foundation");
  if (pile.kind === "air") return gettext("hand");
  const words = kindName(pile.kind);
  if (pile.seat === seat) return words;
  if (pile.seat === names.you) return YOUR_PILES[pile.kind] ?? words;
  return gettext("{player}’s {pile}", { player: names[pile.seat], pile: words });
}

/** What the reader did besides moving. */
const YOURS = {
  stop: (event) => (event.call ? gettext("You: “{call}”", { call: event.call }) : gettext("You call stop!")),
  offer: () => gettext("You offer a draw"),
  decline: () => gettext("You decline the draw"),
};

/** A move in one short line: "7♣ house 2 → foundation". */
export function eventWords(event, names) {
  const who = names[event.seat] ?? "";
  if (event.seat !== undefined && event.seat === names.you && YOURS[event.type]) return YOURS[event.type](event);
  switch (event.type) {
    case "tick":
      return tickWords(event, names);
    case "stop":
      return event.call ? gettext("{player}: “{call}”", { player: who, call: event.call }) : gettext("{player} calls stop!", { player: who });
    case "offer":
      return gettext("{player} offers a draw", { player: who });
    case "decline":
      return gettext("{player} declines the draw", { player: who });
    case "end":
      return gettext("The game is over");
    default:
      return moveWords(event, names);
  }
}

/** The line with who it was, where the words alone do not say so. */
export function toldWords(event, names) {
  const words = eventWords(event, names);
  return event.type === "move" ? labelled(names[event.seat], words) : words;
}

/** What a move of a game of turns does. */
export function moveWords(event, names) {
  if (event.move === "pass") return gettext("passes");
  const card = shortName(event.card);
  if (event.move === "draw") {
    const turned = event.flip !== undefined && event.flip !== null;
    return turned ? gettext("turns over the discard, draws {card}", { card }) : gettext("draws {card}", { card });
  }
  const to = placeWords(event.to, event.seat, names);
  const load = pileOf(event.to).seat !== undefined && pileOf(event.to).seat !== event.seat;
  const from = event.from === "x" ? "" : `${placeWords(event.from, event.seat, names)} `;
  return `${card} ${from}→ ${to}${load ? ` (${pgettext("a card onto an opponent’s pile", "load")})` : ""}`;
}

/** A sentence for a screen reader: who did what. */
export function spokenWords(event, names) {
  if (event.type === "tick") return spokenTick(event, names);
  if (event.type !== "move") return eventWords(event, names);
  const extra = event.completed ? gettext(", completing {suit}", { suit: suitName(event.completed[1]) }) : "";
  const shown = event.reveal ? gettext(", revealing {card}", { card: shortName(event.reveal[1]) }) : "";
  return labelled(names[event.seat], `${moveWords(event, names)}${extra}${shown}`);
}

const FORFEITS = {
  "illegal-move": gettext("{player} made an illegal move and lost."),
  protocol: gettext("{player} broke the protocol and lost."),
  timeout: gettext("{player} ran out of time and lost."),
  silence: gettext("{player} stopped answering and lost."),
  crash: gettext("{player} crashed and lost."),
  memory: gettext("{player} used too much memory and lost."),
  flood: gettext("{player} wrote too much output and lost."),
  startup: gettext("{player} failed to start and lost."),
};

/** The same of the reader, as far as it can happen to a person. */
const YOUR_FORFEITS = {
  timeout: gettext("You ran out of time and lost."),
  silence: gettext("You did not come back, so the game is lost."),
};

/** Whether a game ended by a bot's fault. */
export function isForfeit(result) {
  return result?.termination in FORFEITS;
}

/** Several in a row: "house 3, house 5 and foundation". */
export function listed(names) {
  return names.length < 2 ? names.join("") : gettext("{names} and {last}", { names: names.slice(0, -1).join(", "), last: names.at(-1) });
}

/** Who won and why, as {heading, sentence}. */
export function resultWords(result, names) {
  const best = result.ranking?.[0] ?? [];
  const decided = (result.ranking?.length ?? 0) > 1;
  if (decided && best.length === 1 && best[0] === names.you) return { heading: gettext("You win!"), sentence: reasonWords(result, names, best) };
  const heading = decided && best.length === 1 ? gettext("{player} wins", { player: names[best[0]] }) : pgettext("no winner", "Draw");
  return { heading, sentence: reasonWords(result, names, best) };
}

function reasonWords(result, names, best) {
  const culprit = names[result.seat];
  const others = names.map((name, seat) => ({ name, left: result.left?.[seat] ?? 0, seat }))
    .filter(({ seat }) => !best.includes(seat));
  switch (result.termination) {
    case "win": {
      const left = others.filter(({ left: count }) => count).map(({ name, left: count, seat }) => seat === names.you ? ngettext("you had {count} card left", "you had {count} cards left", count) : ngettext("{player} had {count} card left", "{player} had {count} cards left", count, { player: name }));
      const players = listed(best.map((seat) => names[seat]));
      const cleared = best.length === 1 && best[0] === names.you ? gettext("You cleared all cards") : ngettext("{players} cleared all cards", "{players} cleared all cards", best.length, { players });
      return left.length ? gettext("{sentence}; {more}.", { sentence: cleared, more: listed(left) }) : `${cleared}.`;
    }
    case "stop":
      return detailWords(result.detail ?? "", names);
    case "stall":
      return result.detail?.includes("ticks") ? detailWords(result.detail, names) : gettext("No card went to a foundation for 200 turns.");
    case "passes":
      return gettext("All players passed in a row.");
    case "draw-agreed":
      return gettext("The players agreed to a draw.");
    case "resignation":
      return result.seat === names.you ? gettext("You resigned.") : gettext("{player} resigned.", { player: culprit });
    default: {
      if (result.seat === names.you && YOUR_FORFEITS[result.termination]) return YOUR_FORFEITS[result.termination];
      const sentence = FORFEITS[result.termination] ?? gettext("{player} forfeited.");
      const said = sentence.replace("{player}", culprit ?? gettext("A bot"));
      return `${said} ${detailWords(result.detail ?? "", names)}`.trim();
    }
  }
}

/** A duration of thinking. */
export function timeWords(ms) {
  if (ms === undefined || ms === null || ms === 0) return "";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return `${decimal(ms / 1000)} s`;
}

/** A clock: 0:59, or 9.8 below ten seconds. */
export function clockWords(ms) {
  if (ms === undefined || ms === null) return "";
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return decimal(seconds);
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export function phaseWords(phase) {
  if (!phase || phase === "play") return "";
  const [, turns, cards] = /^lay(\d)\.(\d)$/.exec(phase) ?? [];
  return turns === undefined ? phase : ngettext(
    "Opening: lay {cards}; {count} more turn",
    "Opening: lay {cards}; {count} more turns",
    Number(turns),
    { cards },
  );
}
