/** The events of a game that came field by field, as tables with moves alone get them. */

/** Kinds of events that are a ply. */
const PLIES = ["move", "tick"];

/**
 * @param {Record<string, any[]>} columns the values of each field; null where an event lacks it
 * @returns {object[]} the events, with their numbers and plies
 */
export function eventsOf(columns) {
  const names = Object.keys(columns);
  let ply = 0;
  return (columns.type ?? []).map((type, n) => {
    if (PLIES.includes(type)) ply += 1;
    const event = { n, ply };
    for (const name of names) {
      const value = columns[name][n];
      if (value !== null) event[name] = value;
    }
    return event;
  });
}
