/**
 * Talks with the server about a puzzle. The server keeps nothing: it is told every time what was moved so far,
 * says what that led to, and judges a whole turn.
 */

import { jsonOf, post } from "arena/requests";
import { answered } from "arena/thought";

export class PuzzleClient {
  /**
   * @param {DOMStringMap} addresses with state, step and answer
   * @param {{token: string, onState: (state: object) => void}} options
   */
  constructor(addresses, options) {
    this.addresses = addresses;
    this.options = options;
    this.moves = [];
    this.revision = 0;
  }

  /** The puzzle's position, with a record's head. */
  async first() {
    const response = await fetch(this.addresses.state, { headers: { Accept: "application/json" } });
    this.start = await jsonOf(response);
    return this.#stamped(this.start);
  }

  /** Moves or takes back; returns the state, which was taken in already, with `refused`. */
  async act(action) {
    const found = await jsonOf(await post(this.addresses.step, { ...action, moves: this.moves }, this.options));
    this.moves = found.moves;
    return this.tell(found);
  }

  /** From the beginning. */
  restart() {
    this.moves = [];
    const { record: _, ...start } = this.start;
    this.tell({ ...start, from: 0, events: [] });
  }

  /** Gives a state to the page, as its newest. */
  tell(found) {
    const state = this.#stamped(found);
    this.options.onState(state);
    return state;
  }

  /**
   * What the turn is worth that was played.
   * @param {Parameters<typeof answered>[1]} [options]
   */
  async answer(options) {
    const response = await answered(() => post(this.addresses.answer, { moves: this.moves }, this.options), options);
    return jsonOf(response);
  }

  /** States are numbered here, as nobody else changes the table. */
  #stamped(state) {
    this.revision += 1;
    return { ...state, revision: this.revision, epoch: 0 };
  }

  /** Nothing comes unasked. */
  listen() {}

  end() {}
}
