/**
 * Talks with the server about one game of a person. The server's word is the state; this page only says how
 * many events it has, and is told the rest: over its websocket whenever the game changes, and in the answer to each action.
 * Nothing is lost with a connection: whoever connects again is told again.
 */

import { News } from "arena/live/news";
import { jsonOf, post } from "arena/requests";
import { answered } from "arena/thought";

const POLL_MS = 10_000;

export class Client {
  /**
   * @param {DOMStringMap} addresses with state, act, hint and socket
   * @param {{token: string, have: () => {length: number, epoch: number}, onState: (state: object) => void,
   *   onLine: (connected: boolean) => void}} options
   */
  constructor(addresses, options) {
    this.addresses = addresses;
    this.options = options;
    /** @type {News|null} */
    this.news = null;
  }

  /** The state with the record's head, for a page that has nothing. */
  async first() {
    return jsonOf(await fetch(this.addresses.state, { headers: { Accept: "application/json" } }));
  }

  async #ask() {
    const url = new URL(this.addresses.state, location.href);
    for (const [name, value] of Object.entries(this.options.have())) url.searchParams.set(name, String(value));
    this.options.onState(await jsonOf(await fetch(url, { headers: { Accept: "application/json" } })));
  }

  /** Does something at the table; returns the state, which was taken in already, with `refused`. */
  async act(action) {
    const state = await this.#send(action);
    this.options.onState(state);
    return state;
  }

  /** Says something as the page goes away: nobody hears the answer. */
  post(action) {
    this.#send(action, true).catch(() => {});
  }

  /**
   * A hint of a step from 1 to 4, or null once it is not wanted any more.
   * @param {Parameters<typeof answered>[1]} options
   */
  async hint(step, options) {
    const response = await answered(() => post(this.addresses.hint, { step }, this.options), options);
    return response && jsonOf(response);
  }

  async #send(action, keepalive = false) {
    const body = { ...action, ...this.options.have() };
    return jsonOf(await post(this.addresses.act, body, { token: this.options.token, keepalive }));
  }

  /** Listens for news until the game is over. */
  listen() {
    const { have, onLine } = this.options;
    const query = () => Object.fromEntries(Object.entries(have()).map(([name, value]) => [name, String(value)]));
    this.news = new News(this.addresses.socket, {
      ask: () => this.#ask(),
      take: (state) => this.#take(state),
      query,
      onLine,
      poll: POLL_MS,
    });
    this.news.listen();
  }

  /** Takes in a state that the socket brought. It may bring events once more that an answer brought meanwhile. */
  #take(state) {
    const { length, epoch } = this.options.have();
    const known = state.epoch === epoch ? Math.max(0, length - state.from) : 0;
    this.options.onState({ ...state, from: state.from + known, events: state.events.slice(known) });
  }

  /** The game is over: there will be no news. */
  end() {
    this.news?.close();
  }
}
