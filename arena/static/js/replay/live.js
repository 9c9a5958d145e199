/**
 * Brings the events of a running game: a websocket that catches up from the stored log, and comes back after
 * every kind of interruption. It knows nothing of drawing; it only hands over batches in order.
 */

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;

export class LiveSource {
  /**
   * @param {string} address path of the websocket, without `after`
   * @param {{next: () => number, onEvents: (events: object[]) => void, onFinished: () => void, onRestart: () => void,
   *          onState: (state: "connecting"|"live"|"waiting"|"finished") => void}} port
   *   next: the number of the first event that is still missing; onRestart: another attempt plays the game
   *   anew, what was shown is void
   */
  constructor(address, port) {
    this.address = address;
    this.port = port;
    this.wait = FIRST_WAIT;
    this.timer = null;
    this.socket = null;
    this.done = false;
    /** The attempt at playing the game that the events so far belong to. */
    this.attempt = null;
    document.addEventListener("visibilitychange", () => this.#woken());
    window.addEventListener("online", () => this.#woken());
  }

  connect() {
    clearTimeout(this.timer);
    if (this.done) return;
    this.port.onState("connecting");
    const url = new URL(this.address, location.href);
    url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    if (this.port.next() > 0) url.searchParams.set("after", this.port.next() - 1);
    if (this.attempt !== null) url.searchParams.set("attempt", this.attempt);
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.onmessage = ({ data }) => socket === this.socket && this.#message(JSON.parse(data));
    socket.onclose = () => socket === this.socket && this.#lost();
  }

  close() {
    this.done = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  #message(message) {
    this.wait = FIRST_WAIT;
    if (message.type === "start") {
      if (this.attempt !== null && message.attempt !== this.attempt) this.port.onRestart();
      this.attempt = message.attempt;
      this.port.onState("live");
    } else if (message.type === "events") {
      this.#events(message.events);
    } else if (message.type === "finished") {
      this.done = true;
      this.port.onState("finished");
      this.port.onFinished();
      this.socket.close();
    }
  }

  #events(events) {
    const next = this.port.next();
    const fresh = events.filter((event) => event.n >= next);
    if (!fresh.length) return;
    if (fresh[0].n > next) {
      // Something between was lost on the way: ask again from where we are.
      this.#again();
      return;
    }
    this.port.onEvents(fresh);
  }

  #again() {
    const socket = this.socket;
    this.socket = null;
    socket.close();
    this.connect();
  }

  #lost() {
    if (this.done) return;
    this.port.onState("waiting");
    this.timer = setTimeout(() => this.connect(), this.wait * (0.7 + Math.random() * 0.6));
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }

  #woken() {
    if (this.done || document.hidden || this.socket?.readyState === WebSocket.OPEN) return;
    if (this.socket?.readyState === WebSocket.CONNECTING) return;
    this.wait = FIRST_WAIT;
    this.connect();
  }
}
