/**
 * The deck as pictures. The page fetches one SVG file with a symbol for each face and back; a felt gets from it
 * one sheet: a bitmap with every card in exactly the size, colours and index style it is shown in. A card then
 * is one element with a piece of that sheet, and another face costs it neither a layout nor a drawing of paths.
 */

import { RANKS, SUITS } from "arena/replay/cards";
import { gettext } from "arena/words";

const BACKS = 4;
const ROWS = SUITS.length + 1;
const COLUMNS = RANKS.length;
/** Pixels round each card that stay clear, so that nothing of its neighbour shows where it is scaled. */
const CLEAR = 1;
const PROPERTIES = ["--suit-s", "--suit-h", "--suit-d", "--suit-c", "--card", "--card-edge"];

const files = new Map();
const sheets = new Map();

/** The deck's shared definitions and its symbols, as text; fetched once. */
export function deckFile(address) {
  if (!files.has(address)) {
    const file = load(address);
    file.catch(() => files.delete(address));
    files.set(address, file);
  }
  return files.get(address);
}

async function load(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(gettext("The server answered {status}.", { status: response.status }));
  const text = await response.text();
  const symbols = new Map([...text.matchAll(/<symbol id="(\w+)".*?<\/symbol>/gs)].map(([whole, name]) => [name, whole]));
  return { defs: /<defs>.*?<\/defs>/s.exec(text)[0], symbols };
}

/** What the style sheet colours cards with; a picture has no page to take them from. */
export function coloursOf(felt) {
  const style = getComputedStyle(felt);
  return PROPERTIES.map((name) => [name, style.getPropertyValue(name).trim()]);
}

export function coloured(text, colours) {
  return colours.reduce((all, [name, value]) => all.replaceAll(new RegExp(`var\\(${name},[^)]*\\)`, "g"), value), text);
}

/** Where a symbol stands on the sheet: {column, row}. */
function cellOf(symbol) {
  if (symbol.startsWith("back")) return { column: Number(symbol.slice(4)) % BACKS, row: ROWS - 1 };
  const [rank, suit] = symbol.slice(-2);
  return { column: RANKS.indexOf(rank), row: SUITS.indexOf(suit) };
}

/** The symbols of a row from left to right, all of one index style: "", "L" or "T". */
function rowOf(row, prefix) {
  if (row === ROWS - 1) return Array.from({ length: BACKS }, (_, back) => `back${back}`);
  return [...RANKS].map((rank) => prefix + rank + SUITS[row]);
}

async function drawn(text) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  return image;
}

/** Draws the sheet row by row: a slow phone has time for other things between two of them. */
async function draw(address, { prefix, width, height, colours }) {
  const { defs, symbols } = await deckFile(address);
  const [across, down] = [width + 2 * CLEAR, height + 2 * CLEAR];
  const canvas = document.createElement("canvas");
  canvas.width = COLUMNS * across;
  canvas.height = ROWS * down;
  const context = canvas.getContext("2d");
  for (let row = 0; row < ROWS; row += 1) {
    const names = rowOf(row, prefix);
    const cards = names.map((name, column) =>
      `${symbols.get(name)}<use href="#${name}" x="${column * across + CLEAR}" y="${CLEAR}" width="${width}" height="${height}"/>`);
    const size = `width="${canvas.width}" height="${down}"`;
    const text = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${defs}${cards.join("")}</svg>`;
    context.drawImage(await drawn(coloured(text, colours)), 0, row * down);
  }
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error(gettext("The browser could not draw the cards."));
  return blob;
}

function shareable(blob) {
  return { users: 0, blob, url: blob.then((picture) => URL.createObjectURL(picture)) };
}

/** A sheet in use by one felt; give it back with `release`. */
export class Sheet {
  /**
   * @param {string} address of the deck
   * @param {{prefix: string, width: number, height: number, colours: string[][]}} look
   *   prefix: the index style; width, height: of a card in pixels of the screen
   */
  constructor(address, { prefix, width, height, colours }) {
    this.pitch = [1 + (2 * CLEAR) / width, 1 + (2 * CLEAR) / height];
    this.clear = [CLEAR / width, CLEAR / height];
    this.key = [address, prefix, width, height, ...colours.flat()].join(" ");
    const shared = sheets.get(this.key) ?? shareable(draw(address, { prefix, width, height, colours }));
    shared.users += 1;
    sheets.set(this.key, shared);
    /** The bitmap, once it is drawn, and its address. */
    this.blob = shared.blob;
    this.url = shared.url;
    /** The size of a card on it. */
    this.cell = { width, height };
  }

  /** Where a symbol begins on the bitmap, in its pixels. */
  cut(symbol) {
    const { column, row } = cellOf(symbol);
    return { x: column * (this.cell.width + 2 * CLEAR) + CLEAR, y: row * (this.cell.height + 2 * CLEAR) + CLEAR };
  }

  /** The size of the whole sheet for cards of this size on the page, as a style. */
  size(card) {
    return `${COLUMNS * this.pitch[0] * card.width}px ${ROWS * this.pitch[1] * card.height}px`;
  }

  /** Where the sheet lies behind a card of this size that shows the symbol, as a style. */
  position(symbol, card) {
    const { column, row } = cellOf(symbol);
    const [x, y] = [column * this.pitch[0] + this.clear[0], row * this.pitch[1] + this.clear[1]];
    return `${-x * card.width}px ${-y * card.height}px`;
  }

  release() {
    const shared = sheets.get(this.key);
    shared.users -= 1;
    if (shared.users) return;
    sheets.delete(this.key);
    shared.url.then((url) => URL.revokeObjectURL(url), () => {});
  }
}
