/** The table for a position line: of a game of turns, or of the one in ticks. */

import { RaceTable } from "arena/race/table";
import { isRace } from "arena/race/position";
import { Table } from "arena/replay/table";

export function tableOf(line) {
  return isRace(line) ? new RaceTable(line) : new Table(line);
}
