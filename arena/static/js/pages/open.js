/** Shows a record that the visitor has as a file: chosen, or dropped anywhere on the page. Nothing is sent. */

import { ReplayPage } from "arena/replay/page";

const LARGEST_BYTES = 32 << 20;

const place = document.querySelector("[data-place]");
const told = document.querySelector("[data-opened]");
/** @type {HTMLInputElement} */
const input = document.querySelector("[data-open]");
let viewer = null;

/** What is said of a file that is no record. */
class NoRecord extends Error {}

function checked(record) {
  const seats = record?.seats;
  if (record?.format !== 1 || typeof record.start !== "string" || !Array.isArray(record.events) || !Array.isArray(seats))
    throw new NoRecord("This is not a game record.");
  if (seats.length < 2 || seats.length > 4 || seats.some((seat) => typeof seat?.bot !== "string"))
    throw new NoRecord("This is not a game record: it needs two to four seats, each with the name of its bot.");
  if (record.events.some((event) => typeof event?.type !== "string")) throw new NoRecord("This game record is damaged: one of its events has no type.");
  return record;
}

async function read(file) {
  if (file.size > LARGEST_BYTES) throw new NoRecord(`This file is too large. A game record has at most ${LARGEST_BYTES >> 20} MB.`);
  try {
    return checked(JSON.parse(await file.text()));
  } catch (error) {
    throw error instanceof NoRecord ? error : new NoRecord("This is not a game record: it is not JSON.");
  }
}

/** An empty table for the record's seats, with their names. */
function tableFor(record) {
  const ticks = record.variant === "vitesse" ? "[data-ticks]" : ":not([data-ticks])";
  /** @type {HTMLTemplateElement} */
  const shell = document.querySelector(`template[data-players="${record.seats.length}"]${ticks}`);
  if (!shell) throw new NoRecord("No such game has this number of seats.");
  /** @type {HTMLElement} */
  const root = document.importNode(shell.content, true).querySelector("[data-viewer]");
  root.querySelectorAll(".seat__name > span:first-child").forEach((name, seat) => {
    name.textContent = record.seats[seat].bot;
  });
  return root;
}

async function open(file) {
  input.blur(); // the keys are the viewer's
  told.textContent = `Opening ${file.name}…`;
  try {
    const record = await read(file);
    const root = tableFor(record);
    if (viewer) {
      viewer.close();
      history.replaceState(history.state, "", location.pathname); // the place in the game before
    }
    place.replaceChildren(root);
    viewer = new ReplayPage(root);
    await viewer.show(record);
    told.textContent = `${file.name}: ${record.variant}, ${record.seats.map(({ bot }) => bot).join(" – ")}. This viewer does not check the moves; ./crapette verify does.`;
  } catch (error) {
    if (!(error instanceof NoRecord)) throw error;
    told.textContent = `${file.name}: ${error.message}`;
  }
}

function chosen() {
  const [file] = input.files;
  input.value = ""; // the same file may be opened again
  if (file) open(file);
}

input.addEventListener("change", chosen);
chosen(); // before this module was there
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files[0]) open(event.dataTransfer.files[0]);
});
