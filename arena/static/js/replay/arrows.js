/** Arrows from pile to pile over the cards: what was played, and what would have been better. */

import { fanStep } from "arena/replay/layout";
import { sourcePile, targetPiles } from "arena/replay/moves";

const SVG = "http://www.w3.org/2000/svg";

/** The same for an action in ticks: a card to its foundation, or a card turned up. */
function endsOfAction(action, table, seat) {
  if (action === "turn") return { from: `h${seat}`, to: `d${seat}` };
  const from = { s: `s${seat}.${action[1]}`, r: `r${seat}`, d: `d${seat}` }[action.endsWith("-f") ? action[0] : ""];
  const id = from && table.top(from);
  if (!from || id === undefined) return null;
  const { face } = table.cards[id];
  const rank = table.ranks.indexOf(face[0]);
  const targets = [0, 1].map((index) => `f${face[1]}${index}`);
  return { from, to: targets.find((name) => table.pile(name).length === rank) ?? targets[0] };
}

/**
 * `taken` cards have left the pile before, by earlier moves of the same line. The piles a move of a seat goes from and to on a table, or
 * null for one that stays (pass) or only turns a card up.
 */
export function endsOf(move, table, seat = table.turn, taken = 0) {
  if (table.inTicks) return endsOfAction(move, table, seat);
  const source = sourcePile(move, seat);
  if (!source) return null;
  if (move === "draw") return { from: source, to: `x${seat}` };
  const id = table.pile(source).at(-1 - taken);
  const face = id === undefined ? "" : table.cards[id].face;
  const targets = targetPiles(move, seat, face[1], table.players);
  const rank = table.ranks.indexOf(face[0]);
  return { from: source, to: targets.find((name) => name[0] !== "f" || table.pile(name).length === rank) ?? targets[0] };
}

function spot(view, name, add) {
  const { layout, table } = view;
  const at = layout.slots.get(name === "x" ? `x${table.turn}` : name);
  if (!at) return null;
  const count = (name[0] === "x" ? 1 : table.pile(name).length) + add;
  const along = fanStep(at, layout.card, count) * Math.max(0, count - 1);
  return {
    x: at.x + layout.card.width / 2 + ({ right: along, left: -along }[at.fan] ?? 0),
    y: at.y + layout.card.height / 2 + (at.fan === "down" ? along : 0),
  };
}

function arrow(from, to, tone, width) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [x, y] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const head = width * 2.6;
  const [bx, by] = [to.x - x * head, to.y - y * head];
  const path = document.createElementNS(SVG, "path");
  const half = width / 2;
  const points = [
    [from.x - y * half, from.y + x * half], [bx - y * half, by + x * half], [bx - y * width * 1.25, by + x * width * 1.25],
    [to.x, to.y], [bx + y * width * 1.25, by - x * width * 1.25], [bx + y * half, by - x * half], [from.x + y * half, from.y - x * half],
  ];
  path.setAttribute("d", `M${points.map((point) => point.map(Math.round).join(" ")).join("L")}Z`);
  path.setAttribute("class", `arrow arrow--${tone}`);
  return path;
}

export class Arrows {
  /** @param {import("arena/replay/view").View} view */
  constructor(view) {
    this.view = view;
    this.svg = document.createElementNS(SVG, "svg");
    this.svg.setAttribute("class", "felt__arrows");
    this.svg.setAttribute("aria-hidden", "true");
    view.badges.append(this.svg);
    new ResizeObserver(() => this.clear()).observe(view.felt);
  }

  /** @param {{move: string, seat?: number, tone: "good"|"bad"}[]} moves, of the seat to move if none is named, on the table as it is shown */
  show(moves) {
    const { view } = this;
    /** By pile, the cards that earlier moves of the same tone have taken from it; no number once one was put there. */
    const taken = new Map();
    this.svg.replaceChildren(...moves.flatMap(({ move, seat, tone }) => {
      const key = (name) => `${tone} ${seat} ${name}`;
      const source = sourcePile(move, seat ?? view.table.turn);
      const gone = taken.has(key(source)) ? taken.get(key(source)) : 0;
      const ends = gone === null ? null : endsOf(move, view.table, seat, gone);
      if (ends) {
        taken.set(key(ends.from), gone + 1);
        taken.set(key(ends.to), null);
      }
      const from = ends && spot(view, ends.from, 0);
      const to = ends && spot(view, ends.to, ends.to[0] === "t" ? 1 : 0);
      return from && to ? [arrow(from, to, tone, Math.max(5, view.layout.card.width * 0.13))] : [];
    }));
  }

  clear() {
    if (this.svg.firstChild) this.svg.replaceChildren();
  }
}
