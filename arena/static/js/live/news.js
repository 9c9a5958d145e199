/**
 * Asks the server what is new whenever a socket says that something changed: when it opens, at every message, and when
 * somebody looks at the page again. Questions that come while one is under way are answered by one more.
 */

import { Socket } from "arena/live/socket";

export class News {
  /**
   * @param {string} address of the websocket
   * @param {{ask: () => void|Promise<void>, onLine?: (connected: boolean) => void, poll?: number}} options
   *   ask: gets what is new; fails without a connection; poll: milliseconds after which to ask all the same, for a proxy may
   *   swallow sockets
   */
  constructor(address, { ask, onLine, poll }) {
    this.options = { ask, onLine };
    this.asking = false;
    this.again = false;
    this.socket = new Socket(address, { onOpen: () => this.refresh(), onMessage: () => this.refresh() });
    document.addEventListener("visibilitychange", () => this.refresh(), { signal: this.socket.ended.signal });
    if (poll) this.timer = setInterval(() => this.refresh(), poll);
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
