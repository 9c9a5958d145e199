/** The sounds of a table: off until somebody switches them on, and remembered. What makes them comes only then. */

import { remember, remembered } from "arena/choices";

/** So many events at once are heard by their last; of more the table jumps, without a sound. */
const FEW = 3;

/** Marks at which a game may turn: a bell rings. */
const TURNING = ["swing", "emptied", "completed", "stop"];

/** What an event sounds like: a card, a card onto an opponent's pile, a turning point, the end; null for silence. */
function kindOf({ type, move }, marks) {
  if (type === "end") return "end";
  if (marks.some((mark) => TURNING.includes(mark))) return "bell";
  if (type === "tick") return "card";
  if (type !== "move") return null;
  return /-[rd]\d$/.test(move) ? "load" : "card";
}

export class Sound {
  /** @param {ParentNode} root has the switch: a button with `data-sound`, or none */
  constructor(root) {
    /** @type {HTMLElement|null} */
    this.button = root.querySelector("[data-sound]");
    if (!this.button) return;
    this.button.addEventListener("click", () => {
      remember("sound", this.play ? "off" : "on");
      this.#turn(!this.play, "card");
    });
    this.#turn(remembered("sound", "off") === "on");
  }

  async #turn(on, sample) {
    const { play } = on ? await import("arena/replay/synth") : {};
    this.play = play;
    this.button.setAttribute("aria-pressed", String(on));
    if (sample) play?.(sample);
  }

  /** An event has happened at the table, with these marks. */
  heard(event, marks = []) {
    const kind = this.play && kindOf(event, marks);
    if (kind) this.play(kind);
  }

  /** A replay has gone from one number of events to another. */
  moved({ events, notes }, from, to) {
    if (to > from && to - from <= FEW) this.heard(events[to - 1], notes[to - 1].marks);
  }
}
