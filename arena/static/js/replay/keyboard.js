/** Keys as on lichess. The sheet in templates/games/sheets.html says the same to people. */

/** @param {KeyboardEvent & {target: Element}} event */
function typing(event) {
  return event.target.closest?.("input:not([type=range]), textarea, select, dialog[open], [contenteditable]");
}

/**
 * @param {import("arena/replay/transport").Transport} transport
 * @param {{flip: () => void, help: () => void, hidden: () => void, known: () => void, full: () => void, explore: () => void}} actions
 * @param {AbortSignal} signal ends it
 */
export function bindKeys(transport, actions, signal) {
  const keys = {
    ArrowLeft: (event) => (event.shiftKey ? transport.previousTurn() : transport.step(-1)),
    ArrowRight: (event) => (event.shiftKey ? transport.nextTurn() : transport.step(1)),
    ArrowUp: () => transport.previousTurn(),
    ArrowDown: () => transport.nextTurn(),
    Home: () => transport.toStart(),
    End: () => transport.toEnd(),
    " ": () => transport.toggle(),
    n: () => transport.nextMoment(),
    f: actions.flip,
    h: actions.hidden,
    m: actions.known,
    t: actions.explore,
    z: actions.full,
    "?": actions.help,
  };
  document.addEventListener("keydown", (/** @type {KeyboardEvent & {target: Element}} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event)) return;
    const press = keys[event.key] ?? (/^[1-9]$/.test(event.key) ? () => transport.setSpeed(Number(event.key)) : null);
    if (!press) return;
    // A focused button keeps its own Space; the slider's arrows would step twice.
    if (event.key === " " && event.target.closest?.("button, a, summary")) return;
    event.preventDefault();
    press(event);
  }, { signal });
}
