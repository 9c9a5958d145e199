/** The page of a person's game in ticks. */

import { TickPlay } from "arena/ticks/play";

for (const root of document.querySelectorAll("[data-play]")) new TickPlay(root).open();
