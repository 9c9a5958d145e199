/**
 * Draws cards in a thread of its own: `sweep` says which lie where. Only the last that was said before a frame is
 * drawn. It imports nothing: the names of our modules are known to pages alone.
 */

const SHADOW = "rgb(0 0 0 / 38%)";
/** A card's corners, as parts of its width. */
const ROUND = 0.07;

let canvas = null;
let context = null;
let sheet = null;
let look = null;
let scene = null;

function outline(x, y, by) {
  const { width, height } = look.card;
  context.beginPath();
  context.roundRect(x - by, y - by, width + 2 * by, height + 2 * by, width * ROUND + by);
}

function drawCard(x, y, left, top) {
  const { card, cell } = look;
  context.fillStyle = SHADOW;
  outline(x, y + 1, 0.5);
  context.fill();
  context.drawImage(sheet, left, top, cell.width, cell.height, x, y, card.width, card.height);
}

/** Round the card that moved. */
function drawLight(x, y, seat) {
  context.strokeStyle = look.colours[seat];
  context.lineWidth = 3;
  outline(x, y, 1.5);
  context.stroke();
}

/** Where it came from. */
function drawFrame(x, y, seat) {
  context.strokeStyle = look.colours[seat];
  context.lineWidth = 2;
  context.setLineDash([6, 4]);
  outline(x, y, -1);
  context.stroke();
  context.setLineDash([]);
}

const KINDS = [drawCard, drawLight, drawFrame];
const NUMBERS = 5;

function draw() {
  const { things, answer } = scene;
  scene = null;
  context.clearRect(0, 0, look.width, look.height);
  for (let at = 0; at < things.length; at += NUMBERS) {
    const [kind, ...rest] = things.subarray(at, at + NUMBERS);
    KINDS[kind](...rest);
  }
  // A frame later the picture is on the screen.
  if (answer) requestAnimationFrame(() => postMessage("drawn"));
}

async function dress(next) {
  const bitmap = await createImageBitmap(next.sheet);
  sheet?.close();
  sheet = bitmap;
  look = next;
  canvas.width = Math.round(next.width * next.scale);
  canvas.height = Math.round(next.height * next.scale);
  context = canvas.getContext("2d");
  context.scale(next.scale, next.scale);
  postMessage("dressed");
}

addEventListener("message", ({ data }) => {
  if (data.canvas) canvas = data.canvas;
  else if (data.look) dress(data.look);
  else {
    if (!scene) requestAnimationFrame(draw);
    scene = data;
  }
});
