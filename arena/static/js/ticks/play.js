/**
 * One person's table of the game in ticks. In each tick the person chooses one action; the server asks the bot at the
 * same moment, keeps what it chose hidden, and carries both out when both have chosen or the tick's time is up.
 */

import { shortName } from "arena/replay/cards";
import { BACK_MS, SeatPage } from "arena/play/seat";
import { bestByThumb, thumbReason } from "arena/play/thumb";
import { flagOf } from "arena/ticks/words";
import { TickBar } from "arena/ticks/bar";
import { pointsOf } from "arena/ticks/tick";
import { gettext, ngettext } from "arena/words";

const SLOTS = [1, 2, 3, 4];

export class TickPlay extends SeatPage {
  async open() {
    await super.open();
    // Nobody is to lose by looking away: the game pauses with the page.
    document.addEventListener("visibilitychange", () => document.hidden && this.#leave());
    window.addEventListener("pagehide", () => this.#leave());
  }

  makeBar() {
    return new TickBar(this);
  }

  /** The keys on the person's own piles. */
  pileKeys() {
    const { seat } = this;
    const slots = SLOTS.map((slot) => [`s${seat}.${slot}`, String(slot)]);
    return { ...Object.fromEntries(slots), [`r${seat}`]: "r", [`d${seat}`]: "d", [`h${seat}`]: "t" };
  }

  handOptions() {
    return {
      mayLift: (pile) => this.#mayChoose() && Boolean(this.actionOf(pile)),
      onLift: (pile) => this.#lift(pile),
      onDrop: (from, to) => this.#drop(from, to),
      onTap: (pile) => this.tap(pile),
      onDouble: () => false,
    };
  }

  /** A pause is news without a change of the game. */
  isNews(state) {
    const { revision, paused } = this.state;
    return super.isNews(state) || (state.revision === revision && state.paused !== paused);
  }

  took(state) {
    this.bar.time(state);
    if (this.board.idle) this.bar.show(state);
  }

  /** A tick that closes changes nothing of what the person holds: it is for the next one. */
  interrupt() {}

  counts(event) {
    const { table } = this.board;
    this.panels.forEach((panel, seat) => {
      panel.querySelector("[data-left]").textContent = `${gettext("{count} left", { count: table.left(seat) })}, ${ngettext("{count} point", "{count} points", pointsOf(table, seat).sum)}`;
      panel.querySelector("[data-flag]").textContent = event ? flagOf(event, seat) : "";
    });
  }

  /** Points out what can be played in this tick, and what has been chosen. */
  mark() {
    if (!this.view?.table || !this.state) return;
    const { chosen, legal } = this.state;
    const sources = this.#mayChoose() && !chosen ? legal.map((action) => this.pileOf(action)).filter(Boolean) : [];
    this.view.mark(sources, [], chosen ? this.pileOf(chosen) : null);
  }

  /** Points out what a hint is about: a pile, and where its card can go. */
  point(source, move) {
    this.view.mark([source].filter(Boolean), move && source ? this.#targets(source) : [], null);
  }

  thumb() {
    const cards = this.state.legal.filter((action) => action.endsWith("-f"));
    const move = bestByThumb(cards, () => 0) ?? this.state.legal.find((action) => action === "turn");
    if (!move) return null;
    const why = move === "turn" ? gettext("No card can be played: turn one up.") : thumbReason(move);
    return { move, source: this.pileOf(move), words: this.words(move), why };
  }

  #mayChoose() {
    return Boolean(this.state && !this.state.paused && !this.state.result);
  }

  /** The action that a pile of the person stands for, or nothing. */
  actionOf(pile) {
    const { seat } = this;
    if (pile === `h${seat}`) return "turn";
    if (pile === `r${seat}` || pile === `d${seat}`) return `${pile[0]}-f`;
    return pile.startsWith(`s${seat}.`) ? `s${pile.slice(3)}-f` : null;
  }

  /** The pile that an action starts from, or nothing. */
  pileOf(action) {
    const { seat } = this;
    if (action === "turn") return `h${seat}`;
    const from = action.split("-f")[0];
    if (from === action) return null;
    return from[0] === "s" ? `s${seat}.${from[1]}` : from + seat;
  }

  #targets(pile) {
    if (pile === `h${this.seat}`) return [`d${this.seat}`];
    const { face } = this.board.table.cards[this.board.table.top(pile)];
    return [`f${face[1]}0`, `f${face[1]}1`];
  }

  #lift(pile) {
    const targets = this.#targets(pile);
    this.view.mark([], targets, pile);
    return targets;
  }

  #drop(from, to) {
    this.mark();
    this.view.render({ duration: BACK_MS });
    if (to && this.#targets(from).includes(to)) this.choose(this.actionOf(from));
  }

  /** A pile was tapped: an own one plays its card, a foundation takes the one card that fits it. */
  tap(pile) {
    if (!this.board.idle) this.board.hurry();
    if (pile === null) return;
    const action = pile[0] === "f" ? this.#onlyFor(pile[1]) : this.actionOf(pile);
    if (action) this.choose(action);
    else this.bar.say(pile[0] === "f" ? gettext("Tap the card that should go there.") : gettext("These are the bot’s cards."), true);
  }

  #onlyFor(suit) {
    const found = this.state.legal.filter((action) => {
      const pile = action.endsWith("-f") && this.pileOf(action);
      return pile && this.board.table.cards[this.board.table.top(pile)].face[1] === suit;
    });
    return found.length === 1 ? found[0] : null;
  }

  /** Chooses an action for the open tick; until it closes another may be chosen. */
  choose(action) {
    if (this.state.paused) {
      this.bar.say(gettext("The game is paused. Continue first."), true);
      return;
    }
    this.act({ do: "tick", tick: this.state.tick, action });
  }

  act(action) {
    return this.tell(action);
  }

  /** An action in words: "4♠ to the foundation". */
  words(action) {
    const pile = this.pileOf(action);
    if (action === "turn") return gettext("turn up a card");
    if (!pile) return { stop: gettext("“Stop, crapette!”"), wait: gettext("wait") }[action];
    const top = this.board.table.top(pile);
    const card = shortName(top === undefined ? "" : this.board.table.cards[top].face);
    return gettext("{card} to a foundation", { card });
  }

  #leave() {
    if (!this.state || this.state.result || this.state.paused) return;
    this.client.post({ do: "pause" });
  }
}
