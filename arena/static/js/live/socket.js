/**
 * A websocket that comes back after every kind of interruption: a server that restarts, a connection that is lost, a
 * computer that slept. Everything live on our pages comes through it. What a page missed is not its business: whoever
 * listens asks for that whenever the socket opens.
 */

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;

export class Socket {
  /**
   * @param {string} address path of the websocket
   * @param {{onMessage: (message: any) => void, onOpen?: () => void, onState?: (state: "connecting"|"waiting") => void,
   *   query?: () => Record<string, string>}} port
   *   query: what to add to the address, asked again for each connection; onState: connecting, or waiting to connect again
   */
  constructor(address, port) {
    this.address = address;
    this.port = port;
    this.wait = FIRST_WAIT;
    this.timer = undefined;
    this.socket = null;
    this.ended = new AbortController();
    const { signal } = this.ended;
    document.addEventListener("visibilitychange", () => this.#woken(), { signal });
    window.addEventListener("online", () => this.#woken(), { signal });
  }

  get closed() {
    return this.ended.signal.aborted;
  }

  /** Connects now; a connection there was ends. */
  connect() {
    if (this.closed) return;
    clearTimeout(this.timer);
    const before = this.socket;
    this.socket = null;
    before?.close();
    this.port.onState?.("connecting");
    const url = new URL(this.address, location.href);
    url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    for (const [name, value] of Object.entries(this.port.query?.() ?? {})) url.searchParams.set(name, value);
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.onopen = () => socket === this.socket && this.port.onOpen?.();
    socket.onmessage = ({ data }) => socket === this.socket && this.#message(data);
    socket.onclose = () => socket === this.socket && this.#lost();
  }

  /** Ends it for good. */
  close() {
    this.ended.abort();
    clearTimeout(this.timer);
    this.socket?.close();
  }

  #message(data) {
    // Only what the server says proves that it is well: one that accepts and hangs up at once is asked ever more seldom.
    this.wait = FIRST_WAIT;
    this.port.onMessage(JSON.parse(data));
  }

  #lost() {
    if (this.closed) return;
    this.port.onState?.("waiting");
    // Not all pages at the same moment, after a server's restart.
    this.timer = setTimeout(() => this.connect(), this.wait * (0.7 + Math.random() * 0.6));
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }

  #woken() {
    if (document.hidden || [WebSocket.OPEN, WebSocket.CONNECTING].includes(/** @type {any} */ (this.socket?.readyState))) return;
    this.wait = FIRST_WAIT;
    this.connect();
  }
}
