/** Events and results in words. Names are given by seat. */

import { spokenTick, tickWords } from "arena/ticks/words";
import { pileOf, shortName, suitName } from "arena/replay/cards";

/** A pile as the target or source of a move of this event. */
function pileWords(name, event, names) {
  const pile = pileOf(name);
  if (pile.kind === "house") return `house ${pile.number}`;
  if (pile.kind === "foundation") return "foundation";
  if (pile.kind === "air") return "hand";
  return pile.seat === event.seat ? pile.kind : `${names[pile.seat]}’s ${pile.kind}`;
}

/** A move in one short line: "7♣ house 2 → foundation". */
export function eventWords(event, names) {
  const who = names[event.seat] ?? "";
  switch (event.type) {
    case "tick":
      return tickWords(event, names);
    case "stop":
      return event.call ? `${who}: “${event.call}”` : `${who} calls stop!`;
    case "offer":
      return `${who} offers a draw`;
    case "decline":
      return `${who} declines the draw`;
    case "end":
      return "The game is over";
    default:
      return moveWords(event, names);
  }
}

/** The line with who it was, where the words alone do not say so. */
export function toldWords(event, names) {
  const words = eventWords(event, names);
  return event.type === "move" ? `${names[event.seat]}: ${words}` : words;
}

function moveWords(event, names) {
  if (event.move === "pass") return "passes";
  const card = shortName(event.card);
  if (event.move === "draw") {
    const turned = event.flip !== undefined && event.flip !== null ? "turns over the discard, " : "";
    return `${turned}draws ${card}`;
  }
  const to = pileWords(event.to, event, names);
  const load = pileOf(event.to).seat !== undefined && pileOf(event.to).seat !== event.seat;
  const from = event.from === "x" ? "" : `${pileWords(event.from, event, names)} `;
  return `${card} ${from}→ ${to}${load ? " (load)" : ""}`;
}

/** A sentence for a screen reader: who did what. */
export function spokenWords(event, names) {
  if (event.type === "tick") return spokenTick(event, names);
  if (event.type !== "move") return eventWords(event, names);
  const extra = event.completed ? `, completing ${suitName(event.completed[1])}` : "";
  const shown = event.reveal ? `, revealing ${shortName(event.reveal[1])}` : "";
  return `${names[event.seat]}: ${moveWords(event, names)}${extra}${shown}`;
}

const FORFEITS = {
  "illegal-move": "made an illegal move",
  protocol: "broke the protocol",
  timeout: "ran out of time",
  silence: "stopped answering",
  crash: "crashed",
  memory: "used too much memory",
  flood: "wrote too much output",
  startup: "failed to start",
};

/** Whether a game ended by a bot's fault. */
export function isForfeit(result) {
  return result?.termination in FORFEITS;
}

function list(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** Who won and why, as {heading, sentence}. */
export function resultWords(result, names) {
  const best = result.ranking?.[0] ?? [];
  const decided = (result.ranking?.length ?? 0) > 1;
  const heading = decided && best.length === 1 ? `${names[best[0]]} wins` : "Draw";
  return { heading, sentence: reasonWords(result, names, best, decided) };
}

function reasonWords(result, names, best, decided) {
  const culprit = names[result.seat];
  const others = names.map((name, seat) => ({ name, left: result.left?.[seat] ?? 0, seat }))
    .filter(({ seat }) => !best.includes(seat));
  switch (result.termination) {
    case "win": {
      const left = others.filter(({ left: count }) => count).map(({ name, left: count }) => `${name} had ${count} card${count === 1 ? "" : "s"} left`);
      return `${list(best.map((seat) => names[seat]))} cleared all cards${left.length ? `; ${list(left)}` : ""}.`;
    }
    case "stop":
      return seatWords(result.detail, names);
    case "stall":
      return result.detail?.includes("ticks") ? result.detail : "No card went to a foundation for 200 turns.";
    case "passes":
      return "All players passed in a row.";
    case "draw-agreed":
      return "The players agreed to a draw.";
    case "resignation":
      return `${culprit} resigned.`;
    default: {
      const what = FORFEITS[result.termination] ?? result.termination;
      return `${culprit ?? "A bot"} ${what} and lost${decided ? "" : " the game"}. ${seatWords(result.detail, names)}`.trim();
    }
  }
}

/** A sentence of the referee with names for seats. */
function seatWords(detail, names) {
  return (detail ?? "").replace(/[Ss]eat (\d)/g, (_, seat) => names[seat]);
}

/** A duration of thinking. */
export function timeWords(ms) {
  if (ms === undefined || ms === null || ms === 0) return "";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return `${(ms / 1000).toFixed(1)} s`;
}

/** A clock: 0:59, or 9.8 below ten seconds. */
export function clockWords(ms) {
  if (ms === undefined || ms === null) return "";
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export function phaseWords(phase) {
  if (!phase || phase === "play") return "";
  const [, turns, cards] = /^lay(\d)\.(\d)$/.exec(phase) ?? [];
  return turns === undefined ? phase : `Laying: ${cards} to turn up, ${turns} more turn${turns === "1" ? "" : "s"}`;
}
