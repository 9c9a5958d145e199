/**
 * Draws a table on a felt. Cards keep their identity: each is one element that travels from where it was
 * drawn last to where it lies now, so nothing flies in from nowhere and every change explains itself.
 *
 * From below: the slots, the cards with all that travels, the counts. The cards' layer is a room in which what
 * is nearer covers what is farther, so that a card changes its height by its transform as well.
 */

import { Calm } from "arena/replay/calm";
import { HIDDEN, kindName, longName, pileOf, suitName } from "arena/replay/cards";
import { tickLayout } from "arena/ticks/layout";
import { Sheet, coloursOf } from "arena/replay/deck";
import { fanStep, layoutOf } from "arena/replay/layout";
import { drawsSlowly, measureFrames } from "arena/replay/frames";
import { Card } from "arena/replay/motion";
import { Pointers } from "arena/replay/pointers";
import { eventWords, phaseWords } from "arena/replay/words";
import { write } from "arena/replay/writing";
import { drawn } from "arena/soon";
import { gettext, ngettext } from "arena/words";

const SVG = "http://www.w3.org/2000/svg";
/** After this many milliseconds without a change the table is at rest. */
const REST_MS = 140;
/** The share of a tick's time that a card travels; the second seat's card is so much later that it ends with it. */
const FIRST = 0.65;
/** A card's bitmap is no wider, in pixels of the screen: 4K needs half of it. */
const WIDEST = 420;
const reduced = matchMedia("(prefers-reduced-motion: reduce)");
const dark = matchMedia("(prefers-color-scheme: dark)");

function element(name, className, parent) {
  const node = document.createElement(name);
  if (className) node.className = className;
  parent?.append(node);
  return node;
}

function suitPicture(deck, suit) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "slot__suit");
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${deck}#pip${suit}`);
  svg.append(use);
  return svg;
}

/** Whether nothing about a card's place changed. */
function same(one, other) {
  return one.x === other.x && one.y === other.y && one.z === other.z && one.up === other.up && one.deep === other.deep && one.pile === other.pile;
}

export class View {
  static count = 0;

  /**
   * @param {HTMLElement} felt the element to draw in; it has a size by style sheet
   * @param {{deck: string, bottom?: number, panels?: HTMLElement[], names?: import("arena/replay/words").Names, labels?: boolean,
   *   keys?: Record<string, string>, own?: boolean, isBeside?: boolean}} options
   *   deck: address of the cards; panels: one element a seat, placed beside its piles; keys: marks on piles;
   *   own: whether the seat below is played here; isBeside: whether it is a small table beside a larger one, which
   *   does without motion where the device draws slowly
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
    this.sheet = null;
    felt.classList.add("felt");
    this.layer = element("div", "felt__layer", felt);
    this.room = element("div", "felt__layer felt__cards", felt);
    this.badges = element("div", "felt__layer felt__badges", felt);
    this.pointers = new Pointers(this);
    /** What draws a table that changes fast; loaded when one does. */
    this.sweep = null;
    this.loading = null;
    this.banner = element("div", "felt__banner", felt);
    this.banner.hidden = true;
    felt.dataset.view = String((View.count += 1));
    this.rules = new CSSStyleSheet();
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.rules];
    this.observer = new ResizeObserver(() => this.#resized());
    this.observer.observe(felt);
    this.position = (symbol) => this.sheet.position(symbol, this.layout.card);
    // Each table of a page in a task of its own.
    const recolour = async () => {
      await drawn();
      if (this.table && this.layout) this.dress();
    };
    document.addEventListener("themechange", recolour);
    dark.addEventListener("change", recolour);
    this.words = new Calm(() => this.#tell(), 25);
    // Nothing is drawn for nobody: what happened meanwhile is there at once when somebody looks.
    document.addEventListener("visibilitychange", () => {
      if (this.unseen && !document.hidden) this.render();
    });
  }

  /** Shows a table from now on; forgets the one before. Resolves when its cards can be seen. */
  async show(table) {
    this.table = table;
    for (const { node } of this.nodes) node.remove();
    for (const { node, badge, key, number } of this.slots.values()) {
      node.remove();
      badge?.remove();
      key?.remove();
      number?.remove();
    }
    this.slots.clear();
    this.nodes = table.cards.map((card) => this.#card(card));
    for (const name of this.#slotNames()) this.#slot(name);
    // Before anything is waited for: a reader may be there already, and a button without a name says nothing.
    for (const [name, slot] of this.slots) this.#label(name, slot);
    this.#arrange();
    await this.dress();
    this.render({ duration: 0 });
    this.words.now();
    this.settle();
  }

  /** Shows another table with the same cards, such as a game that went on differently, without dealing anew. */
  use(table) {
    this.table = table;
    this.nodes.forEach((item, id) => {
      item.card = table.cards[id];
    });
  }

  /** The felt is about to go. */
  close() {
    this.observer.disconnect();
    this.coming = null;
    this.sweep?.close();
    this.sheet?.release();
    this.sheet = null;
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== this.rules);
  }

  /** Points out piles: what can be played from, and where the chosen card can go. */
  mark(sources, targets, chosen) {
    this.settle();
    for (const [name, slot] of this.slots) {
      slot.node.classList.toggle("is-source", sources.includes(name));
      slot.node.classList.toggle("is-target", targets.includes(name));
      slot.node.classList.toggle("is-chosen", name === chosen);
      if (this.options.own) slot.node.setAttribute("aria-pressed", String(name === chosen));
    }
  }

  flip() {
    this.options.bottom = (this.options.bottom + 1) % this.table.players;
    this.#arrange();
    this.render({ duration: 320 });
  }

  /** How the cards look from now on: their index, and whether each suit has a colour of its own. */
  setLook({ index = this.index, four = this.felt.classList.contains("felt--four") }) {
    this.index = index;
    this.felt.classList.toggle("felt--four", four);
    if (this.layout) this.dress();
  }

  /** @param {"open"|"known"|"all"} sight */
  setSight(sight) {
    this.sight = sight;
    drawn().then(() => {
      this.felt.classList.toggle("felt--open", this.sight === "all");
      this.render({ duration: 200 });
    });
  }

  /** Gets the cards' pictures in the size and the colours of now. */
  async dress() {
    const { card } = this.layout;
    const scale = Math.min(window.devicePixelRatio || 1, WIDEST / card.width);
    const sheet = new Sheet(this.options.deck, {
      prefix: this.#prefix(),
      width: Math.round(card.width * scale),
      height: Math.round(card.height * scale),
      colours: coloursOf(this.felt),
    });
    this.coming = sheet;
    const url = await sheet.url;
    if (this.coming !== sheet) {
      sheet.release();
      return;
    }
    this.sheet?.release();
    this.sheet = sheet;
    this.url = url;
    this.#fitSheet();
    this.render();
  }

  /** The sheet there is, for cards of the size of now. */
  #fitSheet() {
    if (!this.sheet) return;
    const { card } = this.layout;
    // In a rule, not in custom properties: these are read anew whenever a card moves, and the card is drawn anew.
    const all = `[data-view="${this.felt.dataset.view}"] .felt__cards >`;
    this.rules.replaceSync(`
      ${all} * { width: ${card.width}px; height: ${card.height}px; }
      ${all} .pc { background-image: url("${this.url}"); background-size: ${this.sheet.size(card)}; }
    `);
    for (const card of this.nodes) {
      // Its symbol is of another index style, perhaps.
      card.face = null;
      if (card.worn) card.dress(this.position);
    }
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
      node.append(suitPicture(this.options.deck, name[1]));
    } else if ("rdh".includes(name[0])) {
      slot.badge = element("span", "slot__count", this.badges);
      slot.badge.setAttribute("aria-hidden", "true");
      if (this.options.labels) element("span", "slot__name", node).textContent = kindName(pileOf(name).kind);
    }
    if (name[0] === "t" && !this.options.isBeside) {
      // Sentences name houses by it; a reader's label has it already.
      slot.number = element("span", "slot__number", this.badges);
      slot.number.textContent = name.slice(1);
      slot.number.setAttribute("aria-hidden", "true");
    }
    const key = this.options.keys?.[name];
    if (key) {
      slot.key = element("kbd", "slot__key", this.badges);
      slot.key.textContent = key;
      slot.key.setAttribute("aria-hidden", "true");
    }
    this.slots.set(name, slot);
  }

  #card(card) {
    const node = element("div", "pc", this.room);
    node.setAttribute("aria-hidden", "true");
    return new Card(node, card);
  }

  #resized() {
    if (!this.table || !this.felt.clientWidth) return;
    this.#arrange();
    this.#fitSheet();
    this.render({ duration: 0 });
    clearTimeout(this.dressing);
    this.dressing = setTimeout(() => this.dress(), REST_MS);
  }

  #arrange() {
    const houses = this.#slotNames().filter((name) => name[0] === "t").length;
    this.layout = (this.table.inTicks ? tickLayout : layoutOf)({
      width: this.layer.clientWidth,
      height: this.layer.clientHeight,
      players: this.table.players,
      reserve: this.table.hasReserve,
      houses,
      bottom: this.options.bottom,
      bare: this.options.panels.length > 0 && this.options.panels.every((panel) => !panel.getClientRects().length),
      own: this.options.own,
    });
    const { card, shape } = this.layout;
    this.felt.dataset.shape = shape;
    this.felt.classList.toggle("felt--ticks", Boolean(this.table.inTicks));
    this.felt.style.setProperty("--cw", `${card.width}px`);
    this.felt.style.setProperty("--ch", `${card.height}px`);
    for (const [name, slot] of this.slots) {
      const at = this.layout.slots.get(name);
      slot.settled = null;
      slot.node.style.transform = `translate(${at.x}px,${at.y}px)`;
      if (slot.badge) slot.badge.style.transform = `translate(${at.x + card.width / 2}px,${at.y + card.height}px)`;
      if (slot.key) slot.key.style.transform = `translate(${at.x + card.width / 2}px,${at.y}px)`;
      if (slot.number) slot.number.style.transform = this.#besideHouse(at);
    }
    this.layout.panels.forEach((box) => {
      const panel = this.options.panels[box.seat];
      if (!panel) return;
      Object.assign(panel.style, {
        left: `${box.x}px`, top: `${box.y}px`, width: `${box.width}px`, height: `${box.height}px`,
      });
      panel.classList.toggle("seat--narrow", box.width < 190);
      panel.classList.toggle("seat--flat", box.height < 30);
      panel.classList.toggle("seat--low", box.height < 58);
    });
  }

  /** Where a house's number stands: on the side that its fan goes away from. */
  #besideHouse({ x, y, fan }) {
    const { card } = this.layout;
    if (fan === "down") return `translate(${x + card.width / 2}px,${y + 1}px)`;
    return `translate(${fan === "left" ? x + card.width : x}px,${y + card.height / 2}px)`;
  }

  /** The index style of the deck's symbols that suits the size and the shape. */
  #prefix() {
    const { card, shape } = this.layout;
    if (shape === "tall" && (this.index === "large" || card.width < 62)) return "T";
    return this.index === "large" || (this.index === "auto" && card.width < 50) ? "L" : "";
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
   * @param {{duration?: number, hurried?: boolean}} options
   *   duration: milliseconds of a card's way; 0 is at once; hurried: whether the next change may follow at once
   */
  render({ duration = 0, hurried = false } = {}) {
    if (!this.table || !this.sheet) return;
    if (document.hidden) {
      this.unseen = true;
      return;
    }
    const still = reduced.matches || this.unseen || (this.options.isBeside && drawsSlowly());
    const time = still ? 0 : duration;
    if (time && this.options.isBeside) measureFrames();
    this.unseen = false;
    const places = this.#places();
    if (!hurried || !this.#hurry(places)) this.#draw(places, time);
    this.words.call();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.settle(), REST_MS);
  }

  /** Lays each card at its place, or sends it there. */
  #draw(places, time) {
    this.prefix = this.#prefix();
    // Of cards that travel in one tick the second seat's go after the first's.
    const { travels } = this.table;
    const first = { time: travels?.size ? time * FIRST : time, delay: 0 };
    const second = { ...first, delay: time - first.time };
    this.nodes.forEach((card, id) => this.#lay(card, places[id], travels?.get(id) ? second : first));
    this.pointers.show(time);
    if (this.sweep?.on) this.sweep.end();
  }

  /** Lets the table be drawn as one picture, if it changes so fast and that can be done by now; whether it was. */
  #hurry(places) {
    this.loading ??= import("arena/replay/sweep").then(({ Sweep }) => {
      this.sweep = new Sweep(this);
    }, () => {});
    return Boolean(this.sweep?.draw(places));
  }

  /** What is written on the felt: the counts, whose turn it is, and what was called. */
  #tell() {
    this.#counts();
    this.#announce();
    for (const [seat, panel] of this.options.panels.entries()) panel?.classList.toggle("is-turn", seat === this.table.turn);
  }

  /** What a card shows on the sheet: its face, or the back of its pack. */
  symbol(face, pack) {
    return face === HIDDEN ? `back${pack % 4}` : this.prefix + face;
  }

  #lay(card, place, { time, delay }) {
    const { face, pack } = card.card;
    const before = card.place;
    if (before && same(before, place) && card.face === face && (time || !card.flies)) return;
    card.face = face;
    const turns = Boolean(before && time && before.up !== place.up);
    card.lie(place, { time, delay, turns });
    card.show(this.symbol(place.up ? face : HIDDEN, pack), this.position, turns ? { time, delay } : {});
  }

  #counts() {
    for (const [name, { badge }] of this.slots) {
      if (!badge) continue;
      const count = this.table.pile(name).length;
      if (badge.count === count) continue;
      badge.count = count;
      write(badge, String(count));
      badge.classList.toggle("is-zero", !count);
    }
  }

  /**
   * What need not follow every ply of a fast replay: where piles can be touched, and what they are called.
   * Done when the table has been at rest for a moment.
   */
  settle() {
    clearTimeout(this.resting);
    if (this.sweep?.on) this.#draw(this.#places(), 0);
    for (const card of this.nodes) if (card.place) card.land();
    for (const [name, slot] of this.slots) {
      const pile = this.table.pile(name);
      this.#label(name, slot);
      if (slot.settled === pile.length) continue;
      slot.settled = pile.length;
      this.#spread(name, slot, pile.length);
    }
  }

  #label(name, slot) {
    const words = this.pileWords(name);
    if (slot.words !== words) slot.node.setAttribute("aria-label", (slot.words = words));
  }

  #spread(name, slot, count) {
    const { fan } = this.layout.slots.get(name);
    if (!fan) return;
    const along = `${-fanStep(this.layout.slots.get(name), this.layout.card, count) * Math.max(0, count - 1) - 4}px`;
    const side = { left: "left", right: "right", down: "bottom" }[fan];
    Object.assign(slot.hit.style, { left: "", right: "", bottom: "", [side]: along });
  }

  #name(seat) {
    return this.options.names?.[seat] ?? gettext("seat {number}", { number: seat + 1 });
  }

  /** @param {{kind: string, seat?: number}} pile */
  #ownPile({ kind, seat }) {
    const words = kindName(kind);
    if (this.options.names?.you === seat) return { reserve: gettext("Your reserve"), hand: gettext("Your hand"), discard: gettext("Your discard") }[kind];
    return gettext("{pile} of {player}", { pile: words[0].toUpperCase() + words.slice(1), player: this.#name(seat) });
  }

  /** "House 3, 5 cards, top 7 of spades". */
  pileWords(name) {
    const pile = pileOf(name);
    const ids = this.table.pile(name);
    const heading = {
      house: () => gettext("House {number}", { number: pile.number }),
      slot: () => this.options.names?.you === pile.seat
        ? gettext("Your slot {number}", { number: pile.number })
        : gettext("Slot {number} of {player}", { number: pile.number, player: this.#name(pile.seat) }),
      foundation: () => gettext("Foundation of {suit} {number}", { suit: suitName(pile.suit), number: pile.number + 1 }),
    }[pile.kind]?.() ?? this.#ownPile(pile);
    if (!ids.length) return `${heading}, ${gettext("empty")}`;
    const count = ngettext("{count} card", "{count} cards", ids.length);
    if (this.table.completed.has(name)) return `${heading}, ${gettext("complete")}`;
    const up = this.#faceUp(name, ids.length - 1, ids.length, ids.at(-1));
    return `${heading}, ${count}${up ? gettext(", top {card}", { card: longName(this.table.cards[ids.at(-1)].face) }) : ""}`;
  }

  /** In the panel of the seat whose turn it is: what is still to be laid. Nothing lies there that it could cover. */
  #tellPhase() {
    const words = phaseWords(this.table.phase);
    this.options.panels.forEach((panel, seat) => {
      const told = seat === this.table.turn ? words : "";
      let node = panel.querySelector(".seat__phase");
      if (!node && !told) return;
      node ??= element("p", "seat__phase", panel);
      if (node.textContent !== told) node.textContent = told;
    });
  }

  /** Over the table: that somebody called stop. */
  #announce() {
    const event = this.table.lastMove;
    const stopped = event?.type === "stop";
    const words = stopped ? eventWords(event, this.options.names ?? []) : "";
    this.#tellPhase();
    if (this.banner.textContent === words) return;
    this.banner.textContent = words;
    this.banner.hidden = !words;
    this.banner.classList.toggle("felt__banner--stop", stopped);
  }
}
