/** Shows a record that the visitor has as a file: chosen, or dropped anywhere on the page. Nothing is sent. */

import { checked, inWords, NoRecord, shown, tableFor } from "arena/replay/shells";
import { gettext, labelled } from "arena/words";

const LARGEST_BYTES = 32 << 20;

const place = document.querySelector("[data-place]");
const told = document.querySelector("[data-opened]");
/** @type {HTMLInputElement} */
const input = document.querySelector("[data-open]");
let viewer = null;

async function read(file) {
  if (file.size > LARGEST_BYTES) throw new NoRecord(gettext("This file is too large. A game record has at most {most} MB.", { most: LARGEST_BYTES >> 20 }));
  try {
    return checked(JSON.parse(await file.text()));
  } catch (error) {
    throw error instanceof NoRecord ? error : new NoRecord(gettext("This is not a game record: it is not JSON."));
  }
}

async function open(file) {
  input.blur(); // the keys are the viewer's
  told.textContent = gettext("Opening {file}…", { file: file.name });
  try {
    const record = await read(file);
    const root = tableFor(record);
    if (viewer) {
      viewer.close();
      history.replaceState(history.state, "", location.pathname); // the place in the game before
    }
    viewer = await shown(record, root, place);
    told.textContent = labelled(file.name, `${inWords(record)}. ${gettext("This viewer does not check the moves; ./crapette verify does.")}`);
  } catch (error) {
    if (!(error instanceof NoRecord)) throw error;
    told.textContent = labelled(file.name, error.message);
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
