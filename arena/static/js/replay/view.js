/**
 * Draws a table on a felt. Cards keep their identity: each is one element that travels from where it was
 * drawn last to where it lies now, so nothing flies in from nowhere and every change explains itself.
 */

import { HIDDEN, longName, pileOf, suitName } from "arena/replay/cards";
import { raceLayout } from "arena/race/layout";
import { fanStep, layoutOf } from "arena/replay/layout";
import { eventWords, phaseWords } from "arena/replay/words";

const SVG = "http://www.w3.org/2000/svg";
const EASING = "cubic-bezier(.3,.1,.25,1)";
/** The share of a tick's time that a card travels; the second seat's card is so much later that it ends with it. */
const FIRST = 0.65;
const reduced = matchMedia("(prefers-reduced-motion: reduce)");

function element(name, className, parent) {
  const node = document.createElement(name);
  if (className) node.className = className;
  parent?.append(node);
  return node;
}

function picture(className, viewBox) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", className);
  svg.setAttribute("viewBox", viewBox);
  svg.append(document.createElementNS(SVG, "use"));
  return svg;
}

export class View {
  /**
   * @param {HTMLElement} felt the element to draw in; it has a size by style sheet
   * @param {{deck: string, bottom?: number, panels?: HTMLElement[], names?: string[], labels?: boolean}} options
   *   deck: address of the cards; panels: one element a seat, placed beside its piles
   */
  constructor(felt, options) {
    this.felt = felt;
    this.options = { bottom: 0, panels: [], labels: true, ...options };
    this.table = null;
    this.nodes = [];
    this.slots = new Map();
    /** What is shown of hidden cards: "open" nothing, "known" what was seen at some time, "all". */
    this.sight = "open";
    this.index = "auto";
    felt.classList.add("felt");
    this.layer = element("div", "felt__layer", felt);
    /** Where the last moves came from. */
    this.ghosts = [0, 1].map(() => element("div", "felt__ghost", this.layer));
    for (const ghost of this.ghosts) ghost.hidden = true;
    this.lastCards = [];
    this.banner = element("div", "felt__banner", felt);
    this.banner.hidden = true;
    this.observer = new ResizeObserver(() => this.#resized());
    this.observer.observe(felt);
  }

  /** Shows a table from now on; forgets the one before. */
  show(table) {
    this.table = table;
    for (const { node } of this.nodes) node.remove();
    for (const { node } of this.slots.values()) node.remove();
    this.slots.clear();
    this.nodes = table.cards.map((card) => this.#card(card));
    for (const name of this.#slotNames()) this.#slot(name);
    this.#arrange();
    this.render({ duration: 0 });
  }

  /** Shows another table with the same cards, such as a game that went on differently, without dealing anew. */
  use(table) {
    this.table = table;
    this.nodes.forEach((item, id) => {
      item.card = table.cards[id];
    });
  }

  /** Points out piles: what can be played from, and where the chosen card can go. */
  mark(sources, targets, chosen) {
    for (const [name, slot] of this.slots) {
      slot.node.classList.toggle("is-source", sources.includes(name));
      slot.node.classList.toggle("is-target", targets.includes(name));
      slot.node.classList.toggle("is-chosen", name === chosen);
    }
  }

  flip() {
    this.options.bottom = (this.options.bottom + 1) % this.table.players;
    this.#arrange();
    this.render({ duration: 320 });
  }

  setIndex(style) {
    this.index = style;
    this.render({ duration: 0, faces: true });
  }

  /** @param {"open"|"known"|"all"} sight */
  setSight(sight) {
    this.sight = sight;
    this.felt.classList.toggle("felt--open", sight === "all");
    this.render({ duration: 200 });
  }

  #slotNames() {
    return [...this.table.piles.keys()].filter((name) => name !== "x" && (this.table.hasReserve || name[0] !== "r"));
  }

  #slot(name) {
    const node = element("div", `slot slot--${pileOf(name).kind}`, this.layer);
    node.dataset.pile = name;
    node.setAttribute("role", "button");
    node.tabIndex = 0;
    // What is clicked for a pile: its place with the whole fan.
    const slot = { node, badge: null, hit: element("span", "slot__hit", node) };
    if (name[0] === "f") {
      const svg = picture("slot__suit", "0 0 100 100");
      svg.setAttribute("aria-hidden", "true");
      svg.firstChild.setAttribute("href", `${this.options.deck}#pip${name[1]}`);
      node.append(svg);
    } else if ("rdh".includes(name[0])) {
      slot.badge = element("span", "slot__count", this.layer);
      slot.badge.setAttribute("aria-hidden", "true");
      if (this.options.labels) element("span", "slot__name", node).textContent = pileOf(name).kind;
    }
    const key = this.options.keys?.[name];
    if (key) {
      slot.key = element("kbd", "slot__key", this.layer);
      slot.key.textContent = key;
      slot.key.setAttribute("aria-hidden", "true");
    }
    this.slots.set(name, slot);
  }

  #card(card) {
    const node = element("div", "pc", this.layer);
    node.setAttribute("aria-hidden", "true");
    const svg = picture("pc__face", "0 0 250 350");
    node.append(svg);
    return { node, svg, use: svg.firstChild, card, href: null, place: null, motion: null, turning: null };
  }

  #resized() {
    if (!this.table || !this.felt.clientWidth) return;
    this.#arrange();
    this.render({ duration: 0 });
  }

  #arrange() {
    const houses = this.#slotNames().filter((name) => name[0] === "t").length;
    this.layout = (this.table.inTicks ? raceLayout : layoutOf)({
      width: this.layer.clientWidth,
      height: this.layer.clientHeight,
      players: this.table.players,
      reserve: this.table.hasReserve,
      houses,
      bottom: this.options.bottom,
    });
    const { card, shape } = this.layout;
    this.felt.dataset.shape = shape;
    this.felt.classList.toggle("felt--race", Boolean(this.table.inTicks));
    this.felt.style.setProperty("--cw", `${card.width}px`);
    this.felt.style.setProperty("--ch", `${card.height}px`);
    for (const [name, slot] of this.slots) {
      const at = this.layout.slots.get(name);
      this.#spread(name, slot, this.table.pile(name).length);
      slot.node.style.transform = `translate(${at.x}px,${at.y}px)`;
      if (slot.badge) slot.badge.style.transform = `translate(${at.x + card.width / 2}px,${at.y + card.height}px)`;
      if (slot.key) slot.key.style.transform = `translate(${at.x + card.width / 2}px,${at.y}px)`;
    }
    this.layout.panels.forEach((box) => {
      const panel = this.options.panels[box.seat];
      if (!panel) return;
      Object.assign(panel.style, {
        left: `${box.x}px`, top: `${box.y}px`, width: `${box.width}px`, height: `${box.height}px`,
      });
      panel.classList.toggle("seat--narrow", box.width < 190);
      panel.classList.toggle("seat--flat", box.height < 30);
      panel.classList.toggle("seat--low", box.height < 60);
    });
  }

  /** The symbol of the deck for a face, in the index style that suits the size and the shape. */
  #symbol(face) {
    const { card, shape } = this.layout;
    if (shape === "tall" && (this.index === "large" || card.width < 62)) return `T${face}`;
    if (this.index === "large" || (this.index === "auto" && card.width < 50)) return `L${face}`;
    return face;
  }

  #faceUp(name, position, length, id) {
    switch (name[0]) {
      case "h":
        return this.sight === "all" || (this.sight === "known" && this.table.seen.has(id));
      case "r":
        return this.sight === "all" || position === length - 1 || this.table.seen.has(id);
      case "f":
        return !this.table.completed.has(name);
      default:
        return true;
    }
  }

  /** Where each card lies now: {x, y, z, up, pile} by identity. */
  #places() {
    const { card, slots } = this.layout;
    const places = new Array(this.nodes.length);
    for (const [name, ids] of this.table.piles) {
      const slot = slots.get(name === "x" ? `x${this.table.turn}` : name);
      if (!slot) continue;
      const step = fanStep(slot, card, ids.length);
      ids.forEach((id, position) => {
        const place = { x: slot.x, y: slot.y, z: 10 + position, pile: name, deep: false };
        if (slot.fan === "left") place.x -= step * position;
        else if (slot.fan === "right") place.x += step * position;
        else if (slot.fan === "down") place.y += step * position;
        else {
          // A stack shows its height by edges: a little for every six cards; what lies deeper is not drawn.
          const lift = Math.floor(position / 6) * Math.max(1, card.width * 0.016);
          place.y -= lift;
          place.deep = position < ids.length - 3 && position % 6 !== 0;
        }
        place.up = this.#faceUp(name, position, ids.length, id);
        places[id] = place;
      });
    }
    return places;
  }

  /**
   * Draws the table as it is now.
   * @param {{duration?: number, faces?: boolean}} options milliseconds of a card's way; 0 is at once
   */
  render({ duration = 0 } = {}) {
    if (!this.table || !this.layout) return;
    const time = reduced.matches ? 0 : duration;
    const places = this.#places();
    // Of cards that travel in one tick the second seat's go after the first's.
    const orders = this.table.travels;
    const single = orders?.size ? time * FIRST : time;
    places.forEach((place, id) => this.#place(this.nodes[id], place, single, orders?.get(id) ? time - single : 0));
    this.#counts();
    this.#highlight();
    this.#missed(time);
    this.#announce();
    for (const [seat, panel] of this.options.panels.entries()) panel?.classList.toggle("is-turn", seat === this.table.turn);
  }

  #place(item, place, time, delay) {
    const before = item.place;
    item.place = place;
    const href = place.up && item.card.face !== HIDDEN ? this.#symbol(item.card.face) : `back${item.card.pack % 4}`;
    const moved = !before || before.x !== place.x || before.y !== place.y;
    const style = item.node.style;
    const hidden = place.deep && (!before || before.deep || !moved || !time);
    if (item.hiddenNow !== hidden) style.visibility = (item.hiddenNow = hidden) ? "hidden" : "visible";
    if (moved) this.#move(item, before, place, time, delay);
    else if (!item.motion && item.z !== place.z) style.zIndex = item.z = place.z;
    if (item.href !== href) this.#turn(item, href, before && time && before.up !== place.up ? time : 0, delay);
  }

  #move(item, before, place, time, delay) {
    const to = `translate(${place.x}px,${place.y}px)`;
    let from = before && `translate(${before.x}px,${before.y}px)`;
    if (item.motion) {
      from = getComputedStyle(item.node).transform;
      item.motion.cancel();
      item.motion = null;
    }
    item.node.style.transform = to;
    if (!before || !time) {
      item.node.style.zIndex = item.z = place.z;
      return;
    }
    const flies = before.pile !== place.pile;
    item.node.style.zIndex = item.z = flies ? 1000 + place.z : place.z;
    const motion = item.node.animate([{ transform: from }, { transform: to }], { duration: time, delay, easing: EASING, fill: "backwards" });
    item.motion = motion;
    motion.onfinish = () => {
      if (item.motion !== motion) return;
      item.motion = null;
      item.node.style.zIndex = item.z = item.place.z;
      if (item.place.deep) item.node.style.visibility = (item.hiddenNow = true) && "hidden";
    };
  }

  /** Another face: at once, or by squashing to the edge and back. */
  #turn(item, symbol, time, delay) {
    item.href = symbol;
    clearTimeout(item.turning);
    const set = () => item.use.setAttribute("href", `${this.options.deck}#${symbol}`);
    if (!time) {
      set();
      return;
    }
    item.svg.animate([{ transform: "scaleX(1)" }, { transform: "scaleX(.02)" }, { transform: "scaleX(1)" }], {
      duration: time, delay, easing: "ease-in-out",
    });
    item.turning = setTimeout(set, delay + time / 2);
  }

  #counts() {
    for (const [name, slot] of this.slots) {
      const pile = this.table.pile(name);
      if (slot.count === pile.length && slot.top === pile.at(-1)) continue;
      slot.count = pile.length;
      this.#spread(name, slot, pile.length);
      slot.top = pile.at(-1);
      if (slot.badge) {
        slot.badge.textContent = pile.length;
        slot.badge.classList.toggle("is-zero", !pile.length);
      }
      slot.node.setAttribute("aria-label", this.pileWords(name));
    }
  }

  #spread(name, slot, count) {
    const { fan } = this.layout.slots.get(name);
    if (!fan) return;
    const along = `${-fanStep(this.layout.slots.get(name), this.layout.card, count) * Math.max(0, count - 1) - 4}px`;
    const side = { left: "left", right: "right", down: "bottom" }[fan];
    Object.assign(slot.hit.style, { left: "", right: "", bottom: "", [side]: along });
  }

  #name(seat) {
    return this.options.names?.[seat] ?? `seat ${seat + 1}`;
  }

  /** "House 3, 5 cards, top 7 of spades". */
  pileWords(name) {
    const pile = pileOf(name);
    const ids = this.table.pile(name);
    const heading = {
      house: () => `House ${pile.number}`,
      slot: () => `Slot ${pile.number} of ${this.#name(pile.seat)}`,
      foundation: () => `Foundation of ${suitName(pile.suit)} ${pile.number + 1}`,
    }[pile.kind]?.() ?? `${pile.kind[0].toUpperCase()}${pile.kind.slice(1)} of ${this.#name(pile.seat)}`;
    if (!ids.length) return `${heading}, empty`;
    const count = `${ids.length} card${ids.length === 1 ? "" : "s"}`;
    if (this.table.completed.has(name)) return `${heading}, complete`;
    const up = this.#faceUp(name, ids.length - 1, ids.length, ids.at(-1));
    return `${heading}, ${count}${up ? `, top ${longName(this.table.cards[ids.at(-1)].face)}` : ""}`;
  }

  /** Over the table: that somebody called stop, or what is still to be laid. */
  #announce() {
    const event = this.table.lastMove;
    const stopped = event?.type === "stop";
    const words = stopped ? eventWords(event, this.options.names ?? []) : phaseWords(this.table.phase);
    if (this.banner.textContent === words) return;
    this.banner.textContent = words;
    this.banner.hidden = !words;
    this.banner.classList.toggle("felt__banner--stop", stopped);
  }

  /** The last moves: where each came from, and the card that moved. */
  #highlight() {
    for (const node of this.lastCards) node.classList.remove("is-last");
    this.lastCards = [];
    const moves = this.table.marked();
    this.ghosts.forEach((ghost, index) => {
      ghost.hidden = !moves[index] || !this.#point(moves[index], ghost);
    });
  }

  /** Points out one move; whether there was something to point at. */
  #point(event, ghost) {
    const top = event.to ? this.table.pile(event.to).at(-1) : undefined;
    const from = event.from && this.layout.slots.get(event.from === "x" ? `x${event.seat}` : event.from);
    if (!from || top === undefined) return false;
    const { node } = this.nodes[top];
    node.classList.add("is-last");
    node.dataset.seat = ghost.dataset.seat = event.seat;
    this.lastCards.push(node);
    const length = event.from === "x" ? 0 : this.table.pile(event.from).length;
    const step = fanStep(from, this.layout.card, length + 1) * length;
    const x = from.x + (from.fan === "right" ? step : from.fan === "left" ? -step : 0);
    const y = from.y + (from.fan === "down" ? step : 0);
    ghost.style.transform = `translate(${x}px,${y}px)`;
    ghost.classList.toggle("is-under", Boolean(from.fan === null && length));
    return true;
  }

  /** Cards that came too late in a tick: each goes out towards its foundation and back, and stays marked. */
  #missed(time) {
    const { misses = [], lastTick } = this.table;
    const again = this.missedIn === lastTick;
    if (again && !misses.length) return;
    this.missedIn = lastTick;
    for (const { node } of this.nodes) node.classList.remove("is-missed");
    misses.forEach(({ from, to }) => {
      const { node, place } = this.nodes[this.table.top(from)];
      node.classList.add("is-missed");
      if (again || !time) return;
      const goal = this.layout.slots.get(to);
      const near = (share) => `translate(${place.x + (goal.x - place.x) * share}px,${place.y + (goal.y - place.y) * share}px)`;
      node.animate(
        [{ transform: near(0), zIndex: 1500 }, { transform: near(0.72), zIndex: 1500, offset: 0.55 }, { transform: near(0), zIndex: 1500 }],
        { duration: time * 1.2, delay: time * (1 - FIRST), easing: "ease-in-out" },
      );
    });
  }
}
