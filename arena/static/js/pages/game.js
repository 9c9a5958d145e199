/** Puts a viewer together on every element that asks for one: record, table, transport, controls, live source. */

import { ReplayPage } from "arena/replay/page";

for (const root of document.querySelectorAll("[data-viewer]")) new ReplayPage(root).open();
