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

/** Whether a position is judged after this event: a turn ended, a card was turned up, or the game is over. */
function settles(event, note) {
  const turnedUp = event.reveal || event.move === "draw" || (event.flip !== undefined && event.flip !== null);
  return note.ended || turnedUp || event.type !== "move";
}

/** What the house's bots say once every way to play on wins (`bots/house/oracle/bot.py`). */
const PROVEN = /^won whatever happens$/;

/** From how many events on a bot of the house that won had proved its win; infinitely many if it never did. */
function provenFrom({ events, result }, house) {
  const [winner, ...others] = result?.ranking?.[0] ?? [];
  if (others.length || !house.includes(winner)) return Number.POSITIVE_INFINITY;
  const found = events.findIndex((event) => event.seat === winner && PROVEN.test(event.comment ?? ""));
  return found < 0 ? Number.POSITIVE_INFINITY : found + 1;
}

/**
 * The same values, but as a turn goes: within it the chances stay what they were, until it ends or a card is turned
 * up. What bots of the house have proved holds to the end.
 * @template {{win: number[], luck: number[], skill: number[]}} Values
 * @param {Values} values
 * @param {import("arena/replay/timeline").Timeline} timeline
 * @param {number[]} house the seats of the house's bots
 * @returns {Values}
 */
export function settledValues(values, timeline, house) {
  const win = [values.win[0]];
  const luck = [0];
  const skill = [0];
  const proven = provenFrom(timeline, house);
  const certain = timeline.result?.ranking?.[0]?.[0] === 0 ? 1 : 0;
  let lucky = 0;
  for (let count = 1; count < values.win.length; count += 1) {
    const before = win[count - 1];
    const event = timeline.events[count - 1];
    lucky += values.luck[count];
    const settled = count >= proven || !event || settles(event, timeline.notes[count - 1]) || count === values.win.length - 1;
    const now = !settled ? before : count >= proven ? certain : values.win[count];
    const byLuck = settled && now !== before ? lucky : 0;
    if (settled) lucky = 0;
    win.push(now);
    luck.push(byLuck);
    skill.push(now - before - byLuck);
  }
  return { ...values, win, luck, skill };
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
