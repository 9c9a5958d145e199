/**
 * Work that waits until the page has answered on the screen: a key or a tap shows at once that it was taken, and what
 * takes long on a slow phone, such as a whole table drawn in other colours, follows in a task of its own.
 */

/** A hidden tab draws no frames; work goes on there without them. */
const UNDRAWN_MS = 120;

/**
 * Resolves once what was changed so far has been drawn, in a new task.
 * @returns {Promise<void>}
 */
export function drawn() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, UNDRAWN_MS);
  });
}

/**
 * Opens a dialog: the browser lays the whole page out for it, so the button that was pressed answers first.
 * @param {HTMLDialogElement} dialog
 */
export async function openSoon(dialog) {
  await drawn();
  if (!dialog.open) dialog.showModal();
}
