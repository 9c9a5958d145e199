/** One tick of the game in ticks, as it was recorded: what each seat did in it, in order of priority. */

/** The two seats in order of priority (RULES 7). */
export function orderOf(event) {
  return [event.tick % 2, 1 - (event.tick % 2)];
}

/** What a seat did: an entry of `done`, or nothing if it waited. */
export function doneBy(event, seat) {
  return event.done?.find((entry) => entry.seat === seat);
}

/** Whether a seat's answer came after the tick had closed. */
export function isLate(event, seat) {
  return event.late?.includes(seat) ?? false;
}

/** Entries whose card was really moved. */
function moved(event) {
  return event.done?.filter((entry) => entry.from && entry.to && !entry.missed) ?? [];
}

/** Whether a card went to a foundation in it. */
export function playsCard(event) {
  return moved(event).some(({ to }) => to[0] === "f");
}

/** Entries whose card came too late and went back. */
export function missesOf(event) {
  return event?.done?.filter(({ missed }) => missed) ?? [];
}

/**
 * The tick as single moves of cards for the table, in order of priority: what a seat moved, then the card that fills
 * its slot. Each has the `order` of its seat, 0 or 1.
 */
export function stepsOf(event) {
  return moved(event).flatMap(({ refill, reveal, ...entry }) => {
    const order = orderOf(event).indexOf(entry.seat);
    const main = { type: "move", order, ...entry };
    if (!refill) return [{ ...main, reveal }];
    const filling = { type: "move", order, seat: entry.seat, move: "refill", card: refill, from: `r${entry.seat}`, to: entry.from, reveal };
    return [main, filling];
  });
}

/** Marks of a tick (`timeline.MARKS`), given the table after it. */
export function marksOfTick(event, table) {
  const marks = [];
  const cards = moved(event);
  if (event.stopper !== null && event.stopper !== undefined) marks.push("stop");
  if (event.done?.some(({ refill, from, seat, missed }) => !missed && (refill || from === `r${seat}`) && !table.pile(`r${seat}`).length)) {
    marks.push("emptied");
  }
  if (cards.some(({ completed }) => completed)) marks.push("completed");
  if (missesOf(event).length) marks.push("missed");
  if (cards.some(({ flip }) => flip !== undefined && flip !== null)) marks.push("turned");
  if (event.late?.length) marks.push("late");
  if (event.stall > 0 && event.stall % 50 === 0) marks.push("idle");
  if (playsCard(event)) marks.push("foundation");
  return marks;
}

/** What the stop is worth (RULES 7). */
export const STOP = 20;

/** The points of a seat as the table lies (RULES 7): {stop, foundations, cards, sum}. */
export function pointsOf(table, seat) {
  const points = {
    stop: table.stopper === seat ? STOP : 0,
    foundations: 10 * table.tally.completed[seat],
    cards: 52 - table.left(seat),
  };
  return { ...points, sum: points.stop + points.foundations + points.cards };
}
