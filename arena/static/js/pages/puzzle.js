/** The page of a puzzle. */

import { PuzzlePage } from "arena/play/puzzle";

for (const root of document.querySelectorAll("[data-puzzle]")) new PuzzlePage(root).open();
