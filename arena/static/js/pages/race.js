/** The page of a person's game in ticks. */

import { RacePlay } from "arena/race/play";

for (const root of document.querySelectorAll("[data-play]")) new RacePlay(root).open();
