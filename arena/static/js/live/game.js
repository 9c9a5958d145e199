/**
 * The events of a running game of bots, in order and none twice: what the page lacks is sent whenever the socket opens.
 * It knows nothing of drawing.
 */

import { Socket } from "arena/live/socket";

export class LiveGame {
  /**
   * @param {string} address path of the websocket, without `after`
   * @param {{next: () => number, onEvents: (events: object[]) => void, onFinished: () => void, onRestart: () => void,
   *          onState: (state: "connecting"|"live"|"waiting"|"finished") => void}} port
   *   next: the number of the first event that is still missing; onRestart: another attempt plays the game
   *   anew, what was shown is void
   */
  constructor(address, port) {
    this.port = port;
    /** The attempt at playing the game that the events so far belong to. */
    this.attempt = null;
    this.socket = new Socket(address, {
      query: () => this.#query(),
      onMessage: (message) => this.#message(message),
      onState: (state) => port.onState(state),
    });
  }

  connect() {
    this.socket.connect();
  }

  close() {
    this.socket.close();
  }

  #query() {
    const next = this.port.next();
    return {
      ...(next > 0 ? { after: String(next - 1) } : {}),
      ...(this.attempt === null ? {} : { attempt: String(this.attempt) }),
    };
  }

  #message(message) {
    if (message.type === "start") {
      if (this.attempt !== null && message.attempt !== this.attempt) this.port.onRestart();
      this.attempt = message.attempt;
      this.port.onState("live");
    } else if (message.type === "events") {
      this.#events(message.events);
    } else if (message.type === "finished") {
      this.close();
      this.port.onState("finished");
      this.port.onFinished();
    }
  }

  #events(events) {
    const next = this.port.next();
    const fresh = events.filter((event) => event.n >= next);
    if (!fresh.length) return;
    // Something between was lost on the way: ask again from where we are.
    if (fresh[0].n > next) this.socket.connect();
    else this.port.onEvents(fresh);
  }
}
