/** The table for a position line: of a game of turns, or of the one in ticks. */

import { TickTable } from "arena/ticks/table";
import { isInTicks } from "arena/ticks/position";
import { Table } from "arena/replay/table";

export function tableOf(line) {
  return isInTicks(line) ? new TickTable(line) : new Table(line);
}
