/** A click on a pile shows what lies in it, or plays it while moves are tried out. */

/** What shows a pile comes once a pointer is over the table, or a key is pressed there.
 * @param {import("arena/replay/page").ReplayPage} page */
export function bindPiles(page) {
  const sheet = () => import("arena/replay/pilesheet");
  const chosen = async (event) => {
    const name = event.target.closest("[data-pile]")?.dataset.pile;
    if (!name) return;
    // Else the same key press would go on to the sheet's own button and shut it again.
    event.preventDefault();
    if (page.explorer?.active) page.explorer.click(name);
    else (await sheet()).openPile(page, name);
  };
  page.felt.addEventListener("pointerenter", sheet, { once: true });
  page.felt.addEventListener("click", chosen);
  page.felt.addEventListener("keydown", (event) => event.key === "Enter" && chosen(event));
}
