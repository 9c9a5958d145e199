/**
 * Work that need not be done for every frame, such as words that nobody can read so fast: a moment after what it
 * is about, so that both are no burden to the same frame, and some times a second at most; always once more after
 * the last call. Not in a hidden tab: there it waits until somebody looks.
 */

const PAUSE_MS = 100;

export class Calm {
  /**
   * @param {() => void} work
   * @param {number} after milliseconds it waits at least; different ones keep two works in different frames
   */
  constructor(work, after) {
    this.work = work;
    this.after = after;
    this.timer = null;
    this.done = -PAUSE_MS;
  }

  call() {
    if (this.timer !== null) return;
    const wait = this.done + PAUSE_MS - performance.now();
    this.timer = setTimeout(() => this.#do(), Math.max(this.after, wait));
  }

  /** Does it now, whenever it was done before. */
  now() {
    clearTimeout(this.timer);
    this.#do();
  }

  #do() {
    if (document.hidden) {
      document.addEventListener("visibilitychange", () => this.now(), { once: true });
      return;
    }
    this.timer = null;
    this.done = performance.now();
    this.work();
  }
}
