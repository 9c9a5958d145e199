/**
 * A hand on the slider. The browser's own thumb, which nobody sees, is not drawn at all: to move it would cost the
 * page a layout and a drawing in each frame. So the hand is followed here; keys are the slider's own.
 */

/**
 * @param {HTMLInputElement} range
 * @param {(x: number) => number} valueAt the value at so many pixels from its left end
 */
export function followHand(range, valueAt) {
  const set = (event) => {
    const value = valueAt(event.offsetX);
    if (Number(range.value) === value) return;
    range.value = String(value);
    range.dispatchEvent(new Event("input", { bubbles: true }));
  };
  range.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    range.setPointerCapture(event.pointerId);
    set(event);
  });
  range.addEventListener("pointermove", (event) => {
    if (range.hasPointerCapture(event.pointerId)) set(event);
  });
  // A browser that has a thumb all the same must not follow the hand as well.
  range.addEventListener("mousedown", (event) => {
    event.preventDefault();
    range.focus({ focusVisible: false });
  });
}
