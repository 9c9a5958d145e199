/** A picture of the felt as it is drawn: one SVG that stands alone, or a PNG of it. */

import { coloured, coloursOf, deckFile } from "arena/replay/deck";
import { gettext } from "arena/words";

const SVG = "http://www.w3.org/2000/svg";

/** How many cards lie in a pile, as on the felt. */
function badge(x, y, count) {
  const disc = document.createElementNS(SVG, "circle");
  for (const [key, value] of Object.entries({ cx: x, cy: y, r: 11, fill: "#10251c", stroke: "#fff" })) {
    disc.setAttribute(key, value);
  }
  const text = document.createElementNS(SVG, "text");
  const shape = { x, y: y + 4.5, fill: "#f5edd6", "text-anchor": "middle", "font-size": 13, "font-weight": 700 };
  for (const [key, value] of Object.entries({ ...shape, "font-family": "sans-serif" })) text.setAttribute(key, value);
  text.textContent = count;
  return [disc, text];
}

/** The felt as an SVG document's text. */
async function svgText(view, names) {
  view.settle();
  const { felt, layout, nodes } = view;
  const deck = await deckFile(view.options.deck);
  const width = felt.clientWidth;
  const height = felt.clientHeight;
  const style = getComputedStyle(felt);
  const root = document.createElementNS(SVG, "svg");
  root.setAttribute("xmlns", SVG);
  root.setAttribute("viewBox", `0 0 ${width} ${height}`);
  root.setAttribute("width", width);
  root.setAttribute("height", height);
  const ground = root.appendChild(document.createElementNS(SVG, "rect"));
  const counts = [];
  ground.setAttribute("width", width);
  ground.setAttribute("height", height);
  ground.setAttribute("fill", style.getPropertyValue("--felt").trim());
  for (const [name, slot] of view.slots) {
    const at = layout.slots.get(name);
    const outline = root.appendChild(document.createElementNS(SVG, "rect"));
    const box = { x: at.x + 9, y: at.y + 9, width: layout.card.width, height: layout.card.height, rx: 4 };
    for (const [key, value] of Object.entries(box)) outline.setAttribute(key, String(value));
    outline.setAttribute("fill", "none");
    outline.setAttribute("stroke", "#fff");
    outline.setAttribute("stroke-opacity", "0.2");
    if (slot.badge) counts.push([at.x + 9 + layout.card.width / 2, at.y + 9 + layout.card.height, slot.badge.textContent]);
  }
  const shown = nodes.filter(({ place }) => !place.deep);
  shown.sort((one, other) => one.place.z - other.place.z);
  for (const { place, symbol } of shown) {
    const use = root.appendChild(document.createElementNS(SVG, "use"));
    use.setAttribute("href", `#${symbol}`);
    use.setAttribute("x", place.x + 9);
    use.setAttribute("y", place.y + 9);
    use.setAttribute("width", layout.card.width);
    use.setAttribute("height", layout.card.height);
  }
  for (const [x, y, count] of counts) root.append(...badge(x, y, count));
  for (const panel of layout.panels) {
    const text = root.appendChild(document.createElementNS(SVG, "text"));
    text.setAttribute("x", panel.x + 20);
    text.setAttribute("y", panel.y + panel.height / 2 + 12);
    text.setAttribute("fill", "#f3ead2");
    text.setAttribute("font-family", "Palatino, Georgia, serif");
    text.setAttribute("font-size", "16");
    text.textContent = names[panel.seat];
  }
  const used = new Set(nodes.map(({ symbol }) => symbol));
  const symbols = [...used].map((symbol) => deck.symbols.get(symbol)).join("");
  const text = new XMLSerializer().serializeToString(root);
  // The cards come first, as text: what draws them may stand anywhere.
  return coloured(text.replace(">", `>${deck.defs}${symbols}`), coloursOf(felt));
}

/** @returns {Promise<Blob>} of the type svg or png */
export async function pictureOf(view, names, type) {
  const blob = new Blob([await svgText(view, names)], { type: "image/svg+xml" });
  if (type === "svg") return blob;
  const image = new Image();
  const address = await new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.readAsDataURL(blob);
  });
  await new Promise((resolve, reject) => {
    image.onload = resolve;
    image.onerror = () => reject(new Error(gettext("The browser could not draw the table.")));
    image.src = address;
  });
  const canvas = document.createElement("canvas");
  canvas.width = view.felt.clientWidth * 2;
  canvas.height = view.felt.clientHeight * 2;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((result) => (result ? resolve(result) : reject(new Error(gettext("The browser could not make the file.")))), "image/png");
  });
}

export function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 5000);
}
