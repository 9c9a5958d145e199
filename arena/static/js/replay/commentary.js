/** One line about what happens at the table, a turn at a time: "Oracle empties two houses and can load 9♠: 62 %". */

import { pileOf, shortName, suitName } from "arena/replay/cards";
import { moveWords, placeWords, resultWords, toldWords } from "arena/replay/words";
import { SWING, percent } from "arena/replay/swings";
import { gettext, ngettext } from "arena/words";

/** So many things are said of a turn, the weightiest first. */
const MOST_DEEDS = 2;
/** A mark of a tick stays for this many ticks, unless another one follows. */
const HELD = 5;
const TOLD = ["forfeit", "end", "out", "stop", "emptied", "completed", "loadReserve", "house", "loadDiscard", "turned"];

function joined(words) {
  if (words.length < 2) return words.join("");
  return gettext("{names} and {last}", { names: words.slice(0, -1).join(", "), last: words.at(-1) });
}

/** The cards loaded on somebody else's piles. */
function loadWords(loads, names) {
  if (!loads.length) return "";
  const [{ card, to }] = loads;
  const { seat } = pileOf(to);
  const said = { card: shortName(card), other: names[seat], pile: placeWords(to, null, names) };
  if (loads.length === 1) return gettext("loads {card} on {pile}", said);
  if (seat === names.you || loads.some((load) => pileOf(load.to).seat !== seat)) return ngettext("loads {count} card", "loads {count} cards", loads.length);
  return ngettext("loads {count} card on {other}", "loads {count} cards on {other}", loads.length, said);
}

/** The same of the reader. */
function yourLoads(loads, names) {
  if (!loads.length) return "";
  const [{ card, to }] = loads;
  if (loads.length === 1) return gettext("load {card} on {pile}", { card: shortName(card), pile: placeWords(to, null, names) });
  return ngettext("load {count} card", "load {count} cards", loads.length);
}

/** What the reader did with the houses, the foundations and what was drawn. */
function yourMoves({ founded, built, left, empty, house }) {
  return [
    empty.length === 1 ? gettext("empty house {number}", { number: house(empty[0]) }) : "",
    empty.length > 1 ? ngettext("empty {count} house", "empty {count} houses", empty.length) : "",
    founded.length === 1 ? gettext("play {card} to a foundation", { card: shortName(founded[0].card) }) : "",
    founded.length > 1 ? ngettext("play {count} card to the foundations", "play {count} cards to the foundations", founded.length) : "",
    built.length === 1 ? gettext("build on house {number}", { number: house(built[0].to) }) : "",
    built.length > 1 ? ngettext("build {count} card on the houses", "build {count} cards on the houses", built.length) : "",
    left.length ? gettext("discard {card}", { card: shortName(left.at(-1).card) }) : "",
  ];
}

/** What was done with the houses, the foundations and what was drawn, as verbs. */
function movedWords(events, empty, isYou) {
  const to = (kind) => events.filter((event) => event.to?.[0] === kind && event.from !== event.to);
  const [founded, built, left] = [to("f"), to("t"), to("d")];
  const house = (name) => pileOf(name).number;
  if (isYou) return yourMoves({ founded, built, left, empty, house });
  return [
    empty.length === 1 ? gettext("empties house {number}", { number: house(empty[0]) }) : "",
    empty.length > 1 ? ngettext("empties {count} house", "empties {count} houses", empty.length) : "",
    founded.length === 1 ? gettext("plays {card} to a foundation", { card: shortName(founded[0].card) }) : "",
    founded.length > 1 ? ngettext("plays {count} card to the foundations", "plays {count} cards to the foundations", founded.length) : "",
    built.length === 1 ? gettext("builds on house {number}", { number: house(built[0].to) }) : "",
    built.length > 1 ? ngettext("builds {count} card on the houses", "builds {count} cards on the houses", built.length) : "",
    left.length ? gettext("discards {card}", { card: shortName(left.at(-1).card) }) : "",
  ];
}

/** What a seat did in its turn so far, the weightiest first. */
function deedsOf(events, notes, seat, names) {
  const marked = (mark) => events.filter((_, index) => notes[index].marks.includes(mark));
  const loads = [...marked("loadReserve"), ...marked("loadDiscard")];
  const loaded = new Set(loads);
  const others = events.filter((event) => event.type === "move" && event.seat === seat && !loaded.has(event));
  const empty = [...new Set(marked("house").map(({ from }) => from))];
  const isYou = seat === names.you;
  const say = (yours, theirs) => (isYou ? yours : theirs);
  return [
    marked("emptied").length ? say(gettext("empty your reserve"), gettext("empties the reserve")) : "",
    ...marked("completed").map(({ completed }) => {
      const suit = { suit: suitName(completed[1]) };
      return say(gettext("complete {suit}", suit), gettext("completes {suit}", suit));
    }),
    say(yourLoads, loadWords)(loads, names),
    ...movedWords(others, empty, isYou),
    marked("turned").length ? say(gettext("turn over your discard"), gettext("turns over the discard")) : "",
  ].filter(Boolean);
}

/** A card that the seat to move could put on somebody else's pile, if the piles as they lie allow it. */
function loadable(table, seat) {
  const face = (name) => (table.piles.has(name) ? table.cards[table.top(name)]?.face : undefined);
  const own = ["x", `r${seat}`, ...[...table.piles.keys()].filter((name) => name[0] === "t")].map(face);
  const seats = Array.from({ length: table.players }, (_, other) => other).filter((other) => other !== seat);
  const targets = seats.flatMap((other) => [face(`r${other}`), face(`d${other}`)]);
  const rank = (card) => table.ranks.indexOf(card[0]);
  const fits = (card, target) => target && rank(target) >= 0 && card[1] === target[1] && Math.abs(rank(card) - rank(target)) === 1;
  return own.find((card) => card && rank(card) >= 0 && targets.some((target) => fits(card, target)));
}

/** What the turn was worth once it is over: the chance of its seat, and by how much it changed. */
function withChance(words, timeline, first, count, seat) {
  const { win, notes } = timeline;
  if (!win || count >= win.length || !(notes[count - 1].ended || count === timeline.length)) return words;
  const of = (place) => (seat === 0 ? win[place] : 1 - win[place]);
  const change = of(count) - of(first);
  const told = gettext("{name}: {words}", { name: words, words: `${Math.round(100 * of(count))} %` });
  return Math.abs(change) >= SWING ? `${told} (${percent(change)})` : told;
}

function tickLine(timeline, count, names) {
  for (let at = count; at > Math.max(0, count - HELD); at -= 1) {
    if (timeline.notes[at - 1].marks.some((mark) => TOLD.includes(mark))) return toldWords(timeline.events[at - 1], names);
  }
  return toldWords(timeline.events[count - 1], names);
}

/**
 * The line for a turn up to a place in a game.
 * @param {import("arena/replay/timeline").Timeline} timeline
 * @param {number} count of events carried out
 * @param {import("arena/replay/words").Names} names by seat
 * @param {import("arena/replay/table").Table} [table] as it lies there: without it nothing is said of what comes
 */
export function commentaryAt(timeline, count, names, table) {
  if (!count) return gettext("The cards are dealt.");
  const event = timeline.events[count - 1];
  if (event.type === "end") return resultWords(event.result, names).sentence;
  if (event.type === "tick") return tickLine(timeline, count, names);
  const { turn, marks } = timeline.notes[count - 1];
  const { seat, first } = timeline.turns[turn] ?? { seat: event.seat, first: count - 1 };
  const player = names[seat];
  if (marks.includes("out")) return seat === names.you ? gettext("You play your last card") : gettext("{player} plays the last card", { player });
  if (event.type === "stop") return event.seat === names.you ? gettext("You call stop") : gettext("{player} calls stop", { player: names[event.seat] });
  const deeds = deedsOf(timeline.events.slice(first, count), timeline.notes.slice(first, count), seat, names).slice(0, MOST_DEEDS);
  const card = table?.turn === seat && !timeline.notes[count - 1].ended ? loadable(table, seat) : undefined;
  if (card) deeds.push(gettext("can load {card}", { card: shortName(card) }));
  // A single move is told as the list of moves tells it.
  if (!deeds.length && seat === names.you) return withChance(toldWords(event, names), timeline, first, count, seat);
  if (!deeds.length) deeds.push(moveWords(event, names));
  return withChance(gettext("{player} {deeds}", { player, deeds: joined(deeds) }), timeline, first, count, seat);
}
