/**
 * What points to the last moves on a felt: for each a frame where it came from and a light round the card that
 * moved; and the cards that came too late in a tick, which go out and come back.
 */

import { fanStep } from "arena/replay/layout";
import { Glow, Piece } from "arena/replay/motion";
import { mark } from "arena/replay/writing";

/** How high a frame lies: below all cards, or above them where cards lie on its place. */
const GHOST = { low: 6, high: 900 };
/** How far a card gets that came too late, how long that takes in times of a move, and when it starts. */
const MISSED = { share: 0.72, time: 1.2, delay: 0.35 };

function piece(Kind, className, room) {
  const node = document.createElement("div");
  node.className = className;
  room.append(node);
  return new Kind(node);
}

export class Pointers {
  /** @param {import("arena/replay/view").View} view */
  constructor(view) {
    this.view = view;
    /** A frame and a light each: one for a move, two for a tick. */
    this.pairs = [];
    this.missed = [];
    this.missedIn = null;
  }

  /** Points to the last moves of the table as it is drawn now; `time` is that of a card's way. */
  show(time) {
    const targets = this.targets();
    while (this.pairs.length < targets.length) this.pairs.push(this.#pair());
    this.pairs.forEach((pair, index) => this.#point(pair, targets[index]));
    this.#miss(time);
  }

  /** What the last moves point to: {seat, top, origin} each, the card that moved and where it came from. */
  targets() {
    const { layout: { slots }, table } = this.view;
    return table.marked().flatMap((event) => {
      const top = event.to ? table.top(event.to) : undefined;
      const from = event.from && slots.get(event.from === "x" ? `x${event.seat}` : event.from);
      return from && top !== undefined ? [{ seat: event.seat, top, origin: this.#origin(event, from) }] : [];
    });
  }

  #pair() {
    const { room } = this.view;
    return { ghost: piece(Piece, "felt__ghost", room), glow: piece(Glow, "felt__glow", room) };
  }

  #point({ ghost, glow }, target) {
    if (!target) {
      ghost.leave();
      glow.leave();
      return;
    }
    for (const { node } of [ghost, glow]) mark(node, "data-seat", target.seat);
    glow.follow(this.view.nodes[target.top]);
    ghost.lie(target.origin);
  }

  /** Where the card lay that moved. */
  #origin(event, { x, y, fan, room }) {
    const { layout: { card }, table } = this.view;
    const length = event.from === "x" ? 0 : table.pile(event.from).length;
    const step = fanStep({ fan, room }, card, length + 1) * length;
    const under = fan === null && length > 0;
    return {
      x: x + (fan === "right" ? step : fan === "left" ? -step : 0),
      y: y + (fan === "down" ? step : 0),
      z: under ? GHOST.high : GHOST.low,
      pile: event.from,
      deep: false,
    };
  }

  /** Cards that came too late in a tick: each goes out towards its foundation and back, and stays marked. */
  #miss(time) {
    const { layout: { slots }, nodes, table } = this.view;
    const { misses = [], lastTick = null } = table;
    if (lastTick === this.missedIn) return;
    this.missedIn = lastTick;
    for (const { node } of this.missed) node.classList.remove("is-missed");
    this.missed = misses.map(({ from }) => nodes[table.top(from)]);
    this.missed.forEach((card, index) => {
      card.node.classList.add("is-missed");
      if (time) card.visit(slots.get(misses[index].to), MISSED.share, { time: time * MISSED.time, delay: time * MISSED.delay });
    });
  }
}
