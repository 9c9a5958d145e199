/** Where a viewer stands, in the address of its page: a ply, and the moves tried from it. */

const ADDRESS = /^#(\d+)(?:~([\w,.-]{1,6000}))?$/;
/** Browsers look at a page's icon anew whenever its address changes, so that it changes once one stops. */
const SETTLED_MS = 250;

export class Address {
  /** @param {boolean} isKept whether the viewer is the page's own: others leave its address alone */
  constructor(isKept) {
    this.isKept = isKept;
  }

  get #found() {
    return this.isKept ? ADDRESS.exec(location.hash) : null;
  }

  /** The ply that it names, or null. */
  get ply() {
    const found = this.#found;
    return found ? Number(found[1]) : null;
  }

  /** The moves tried from there, or null: a branch survives a reload, and can be sent to somebody. */
  get branch() {
    return this.#found?.[2]?.split(",") ?? null;
  }

  /**
   * Names a place from now on.
   * @param {number} ply
   * @param {string[]} [moves] tried from there
   */
  write(ply, moves = []) {
    this.stop();
    history.replaceState(history.state, "", `#${ply}${moves.length ? `~${moves.join(",")}` : ""}`);
  }

  /** Names the place soon, unless something else is named before. */
  writeSoon(/** @type {() => number} */ plyOf) {
    this.stop();
    this.timer = setTimeout(() => this.write(plyOf()), SETTLED_MS);
  }

  stop() {
    clearTimeout(this.timer);
  }
}
