/** The page of a person's game. */

import { PlayPage } from "arena/play/page";

for (const root of document.querySelectorAll("[data-play]")) new PlayPage(root).open();
