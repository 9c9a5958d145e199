/** Shows the record that `crapette replay` serves beside this page. */

import { checked, inWords, NoRecord, shown, tableFor } from "arena/replay/shells";

const place = document.querySelector("[data-place]");
const told = document.querySelector("[data-opened]");

try {
  const record = checked(await (await fetch("record.json")).json());
  await shown(record, tableFor(record), place);
  told.textContent = `${inWords(record)}. This viewer does not check the moves; crapette verify does.`;
} catch (error) {
  told.textContent = error instanceof NoRecord ? error.message : "crapette replay does not answer any more. Start it again.";
}
