/** The person's clock: counts down while the server waits for the person. The server's word settles it. */

import { clockWords } from "arena/replay/words";

export class PersonClock {
  constructor(node) {
    this.node = node;
    setInterval(() => this.#show(), 250);
  }

  set({ clock, awaits }) {
    this.left = clock.ms;
    this.running = awaits === "person" && clock.ms !== null;
    // The clock waits until the opponent's moves have been shown.
    this.since = performance.now() - clock.thought_ms;
    this.#show();
  }

  #show() {
    if (this.left === null || this.left === undefined) return;
    const gone = this.running ? Math.max(0, performance.now() - this.since) : 0;
    this.node.textContent = clockWords(Math.max(0, this.left - gone));
  }
}
