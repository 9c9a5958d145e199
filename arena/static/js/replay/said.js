/** What bots said and needed with an event: one mover's for a move, both seats' for a tick. */

function bySeat(event, several, single) {
  const values = several ? [...several.entries()] : [[event.seat, single]];
  return values.filter(([, value]) => value !== null && value !== undefined && value !== "");
}

/** Comments as [seat, text]. */
export function commentsOf(event) {
  return bySeat(event, event.comments, event.comment);
}

/** Estimates of one's own chances as [seat, from −1 lost to 1 won]. */
export function evalsOf(event) {
  return bySeat(event, event.evals, event.eval).filter(([, value]) => typeof value === "number");
}

/** Milliseconds charged as [seat, ms]. */
export function timesOf(event) {
  return Array.isArray(event.ms) ? bySeat(event, event.ms, null) : bySeat(event, null, event.ms);
}
