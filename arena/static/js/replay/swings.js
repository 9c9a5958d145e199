/** Where the expected result of a game moved: each swing split into luck (a card turned up) and skill (a choice). */

/** Points of a game from which a change is a swing. */
export const SWING = 0.05;

/**
 * The swings of a game, in its order: {count, change, luck, skill}, in points for seat 0; `count` events have
 * been seen after it.
 * @param {{win: number[], luck: number[], skill: number[]}} values by number of events seen, from 0
 */
export function swingsOf({ win, luck, skill }) {
  const found = [];
  for (let count = 1; count < win.length; count += 1) {
    const change = win[count] - win[count - 1];
    if (Math.abs(change) >= SWING) found.push({ count, change, luck: luck[count], skill: skill[count] });
  }
  return found;
}

/** The greatest of them, in the order of the game. */
export function greatest(swings, most) {
  const order = [...swings].sort((one, other) => Math.abs(other.change) - Math.abs(one.change));
  return order.slice(0, most).sort((one, other) => one.count - other.count);
}

/** Points as "+12 %". */
export function percent(points) {
  const whole = Math.round(points * 100);
  return `${whole < 0 ? "−" : "+"}${Math.abs(whole)} %`;
}
