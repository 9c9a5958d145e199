/** The signs of what happened in a game, as they stand on the bar and in its legend. */

import { MARKS } from "arena/replay/timeline";

const path = (points) => (context, x, y, size) => {
  context.beginPath();
  points.forEach(([px, py], index) => context[index ? "lineTo" : "moveTo"](x + px * size, y + py * size));
  context.closePath();
  context.fill();
};
const circle = (context, x, y, size) => {
  context.beginPath();
  context.arc(x, y, size, 0, 7);
  context.fill();
};
const ring = (context, x, y, size) => {
  context.beginPath();
  context.arc(x, y, size * 0.75, 0, 7);
  context.lineWidth = size * 0.45;
  context.stroke();
};
const cross = (context, x, y, size) => {
  context.lineWidth = size * 0.6;
  context.beginPath();
  for (const side of [-1, 1]) {
    context.moveTo(x - size, y - side * size);
    context.lineTo(x + size, y + side * size);
  }
  context.stroke();
};

/** Sign, colour (a custom property) and size of each mark that is drawn; great ones stand in the upper row. */
const SIGNS = {
  forfeit: { draw: cross, colour: "--bad", size: 4.2, great: true },
  end: { draw: path([[-0.35, -1], [0.35, -1], [0.35, 1], [-0.35, 1]]), colour: "--ink", size: 4.5, great: true },
  out: { draw: circle, colour: "--accent", size: 4.2, great: true },
  stop: { draw: path([[-1, -0.4], [-0.4, -1], [0.4, -1], [1, -0.4], [1, 0.4], [0.4, 1], [-0.4, 1], [-1, 0.4]]), colour: "--bad", size: 4, great: true },
  emptied: { draw: circle, colour: "--brass", size: 3.6, great: true },
  completed: { draw: path([[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]]), colour: "--accent", size: 3.6, great: true },
  loadReserve: { draw: path([[-1, -0.8], [1, -0.8], [0, 1]]), colour: "--brass", size: 3.8, great: true },
  missed: { draw: cross, colour: "--brass", size: 3.4, great: true },
  late: { draw: ring, colour: "--bad", size: 2.8, great: false },
  idle: { draw: path([[-1, -0.25], [1, -0.25], [1, 0.25], [-1, 0.25]]), colour: "--muted", size: 3.2, great: false },
  turned: { draw: path([[-0.3, -1], [0.3, -1], [0.3, 1], [-0.3, 1]]), colour: "--muted", size: 3, great: false },
  house: { draw: ring, colour: "--muted", size: 2.4, great: false },
  loadDiscard: { draw: path([[-1, -0.8], [1, -0.8], [0, 1]]), colour: "--muted", size: 2.3, great: false },
};

/** The sign of an event with these marks, or nothing. */
export function signOf(marks) {
  return SIGNS[marks.find((mark) => mark in SIGNS)] ?? null;
}

/** What happened, in words: "Load on a reserve, House emptied". */
export function markWords(marks) {
  return marks.filter((mark) => mark !== "foundation").map((mark) => MARKS[mark].label).join(", ");
}

/**
 * Writes each sign's name with room for the sign, in the order of their weight.
 * @returns {() => void} draws the signs in the colours of now
 */
export function drawLegend(list) {
  const signs = Object.entries(SIGNS);
  if (!list.childElementCount) {
    for (const [mark] of signs) {
      const item = document.createElement("li");
      const canvas = document.createElement("canvas");
      canvas.setAttribute("aria-hidden", "true");
      item.append(canvas, MARKS[mark].label);
      list.append(item);
    }
  }
  return () => {
    const scale = window.devicePixelRatio || 1;
    const style = getComputedStyle(list);
    const canvases = list.querySelectorAll("canvas");
    signs.forEach(([, sign], index) => {
      const canvas = canvases[index];
      canvas.width = canvas.height = 18 * scale;
      const context = canvas.getContext("2d");
      context.scale(scale, scale);
      context.fillStyle = context.strokeStyle = style.getPropertyValue(sign.colour).trim();
      sign.draw(context, 9, 9, sign.size * 1.3);
    });
  };
}
