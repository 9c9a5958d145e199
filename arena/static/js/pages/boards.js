/** Draws every `[data-position]` as a table that stands still. */

import { PileSheet } from "arena/replay/pilesheet";
import { Table } from "arena/replay/table";
import { View } from "arena/replay/view";

const deck = document.querySelector("[data-deck]")?.dataset.deck;

for (const felt of document.querySelectorAll("[data-position]")) {
  const view = new View(felt, { deck: felt.dataset.deck ?? deck });
  const table = new Table(felt.dataset.position);
  view.show(table);
  const dialog = felt.parentElement.querySelector('[data-sheet="pile"]');
  if (dialog) new PileSheet(dialog, { felt, view, transport: { table }, root: felt });
}
