/** Whether this device draws slowly, so that what matters less can do without motion. */

/** Below 25 pictures a second motion looks broken. */
const SLOW_MS = 40;
/** How long it counts as slow, before it may show again what it can do. */
const REMEMBER_MS = 60_000;

let slowUntil = 0;
let measuring = false;

export function drawsSlowly() {
  return performance.now() < slowUntil;
}

/** Measures the time between two pictures while something moves. The first one may hold the work that began it. */
export function measureFrames() {
  if (measuring || drawsSlowly()) return;
  measuring = true;
  requestAnimationFrame(() => requestAnimationFrame((before) => requestAnimationFrame((after) => {
    if (after - before > SLOW_MS && !document.hidden) slowUntil = performance.now() + REMEMBER_MS;
    measuring = false;
  })));
}
