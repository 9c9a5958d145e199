/**
 * Work that need not be done for every frame, such as words that nobody can read so fast: at once if it was not
 * done for a while, else some times a second, and always once more after the last call. Not in a hidden tab:
 * there it waits until somebody looks.
 */

const PAUSE_MS = 100;

export class Calm {
  /** @param {() => void} work */
  constructor(work) {
    this.work = work;
    this.timer = null;
    this.done = -PAUSE_MS;
  }

  call() {
    if (this.timer !== null) return;
    const wait = this.done + PAUSE_MS - performance.now();
    if (wait <= 0) this.#do();
    else this.timer = setTimeout(() => this.#do(), wait);
  }

  /** Does it now, whenever it was done before. */
  now() {
    clearTimeout(this.timer);
    this.#do();
  }

  #do() {
    this.timer = null;
    if (document.hidden) {
      this.timer = -1;
      document.addEventListener("visibilitychange", () => this.now(), { once: true });
      return;
    }
    this.done = performance.now();
    this.work();
  }
}
