/**
 * Learns what is new from a socket. Where the socket only says that something changed, it asks the server: when the socket
 * opens, at every message, and when somebody looks at the page again. Questions that come while one is under way are answered
 * by one more. Where the socket brings the news itself (`take`), it asks only while the socket is silent.
 */

import { Socket } from "arena/live/socket";

export class News {
  /**
   * @param {string} address of the websocket
   * @param {{ask: () => void|Promise<void>, take?: (news: any) => void, query?: () => Record<string, string>,
   *   onLine?: (connected: boolean) => void, poll?: number}} options
   *   ask: gets what is new; fails without a connection; take: takes in what the socket brought; query: what to add to the
   *   socket's address; poll: milliseconds of silence after which to ask, for a proxy may swallow sockets
   */
  constructor(address, { ask, take, query, onLine, poll }) {
    this.options = { ask, take, onLine };
    this.asking = false;
    this.again = false;
    this.heard = 0;
    this.socket = new Socket(address, {
      query,
      onOpen: () => take || this.refresh(),
      onMessage: (message) => this.#message(message),
      onState: (state) => take && state === "waiting" && this.refresh(),
    });
    document.addEventListener("visibilitychange", () => this.refresh(), { signal: this.socket.ended.signal });
    if (poll) this.timer = setInterval(() => performance.now() - this.heard > poll && this.refresh(), poll);
  }

  #message(message) {
    this.heard = performance.now();
    if (!this.options.take) {
      this.refresh();
      return;
    }
    this.options.onLine?.(true);
    this.options.take(message);
  }

  listen() {
    this.socket.connect();
  }

  /** Asks what is new; a page that nobody sees asks once somebody does. */
  async refresh() {
    if (document.hidden || this.socket.closed) return;
    if (this.asking) {
      this.again = true;
      return;
    }
    this.asking = true;
    try {
      await this.options.ask();
      this.options.onLine?.(true);
    } catch {
      this.options.onLine?.(false);
    }
    this.asking = false;
    if (this.again) {
      this.again = false;
      this.refresh();
    }
  }

  /** There will be no more news. */
  close() {
    clearInterval(this.timer);
    this.socket.close();
  }
}
