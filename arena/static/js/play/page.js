/** One person's table of a game of turns: taps, drags and keys become moves, and the server says what they did. */

import { longName, shortName } from "arena/replay/cards";
import { Bar } from "arena/play/bar";
import { BACK_MS, SeatPage } from "arena/play/seat";
import { bestByThumb, thumbReason } from "arena/play/thumb";
import { legalWords } from "arena/replay/legal";
import { isOwn, moveBetween, sourcePile, targetPiles } from "arena/replay/moves";
import { listed, placeWords } from "arena/replay/words";
import { gettext } from "arena/words";

export class PlayPage extends SeatPage {
  constructor(root) {
    super(root);
    this.chosen = null;
    this.busy = false;
  }

  makeBar() {
    return new Bar(this);
  }

  handOptions() {
    return {
      mayLift: (pile) => this.#mayMove() && isOwn(pile, this.seat),
      onLift: (pile, cards) => this.#lift(pile, cards),
      onDrop: (from, to, cards) => this.#drop(from, to, cards),
      onTap: (pile, cards) => this.tap(pile, cards),
      onDouble: (pile) => this.#foundation(pile),
    };
  }

  /** Takes a new state of the server in. */
  took(state) {
    this.bar.clock.set(state);
  }

  interrupt() {
    super.interrupt();
    this.#choose(null);
  }

  /** Whether the person may move a card now. */
  #mayMove() {
    return this.state?.awaits === "person" && this.board.idle && !this.busy;
  }

  /** Moves that start from a pile. */
  #from(pile) {
    return this.state.legal.filter(({ move }) => sourcePile(move, this.seat) === pile);
  }

  #suit(pile) {
    const top = this.board.table.top(pile);
    return top === undefined ? "" : this.board.table.cards[top].face[1];
  }

  #targets(pile) {
    return this.#from(pile).flatMap(({ move }) => targetPiles(move, this.seat, this.#suit(pile)));
  }

  #choose(pile, cards = 1) {
    this.chosen = pile;
    this.cards = cards;
    this.mark();
  }

  /** Points out what can be played, and where to. */
  mark() {
    if (!this.view?.table || !this.state) return;
    const drawn = this.board.table.pile("x").length ? "x" : null;
    const chosen = this.#mayMove() ? this.chosen ?? drawn : null;
    const sources = this.#mayMove() && !chosen ? this.state.legal.map(({ move }) => sourcePile(move, this.seat)) : [];
    this.view.mark(sources.filter(Boolean), chosen ? this.#targets(chosen) : [], chosen);
  }

  #lift(pile, cards) {
    this.#choose(pile, cards);
    return cards > 1 ? [...this.view.slots.keys()].filter((name) => name[0] === "t") : this.#targets(pile);
  }

  #drop(from, to, cards) {
    const moves = to !== null;
    this.#choose(null);
    if (moves) this.move(from, to, cards);
    else this.view.render({ duration: BACK_MS });
  }

  /** A pile was tapped, or taken by the keyboard: first where from, then where to. */
  tap(pile, cards = 1) {
    if (!this.board.idle) {
      this.board.hurry();
      return;
    }
    if (pile === null || !this.#mayMove()) {
      this.#choose(null);
      return;
    }
    const { table } = this.board;
    const chosen = this.chosen ?? (table.pile("x").length ? "x" : null);
    if (chosen && chosen !== pile) {
      const count = this.chosen ? this.cards : 1;
      this.#choose(null);
      this.move(chosen, pile, count);
    } else if (chosen) {
      this.#choose(null);
    } else if (pile === `h${this.seat}`) {
      this.play("draw");
    } else {
      this.#pick(pile, cards);
    }
  }

  #pick(pile, cards) {
    const top = this.board.table.top(pile);
    if (!isOwn(pile, this.seat) || top === undefined) {
      this.bar.say(top === undefined ? gettext("There is no card to move there.") : gettext("You can play only from the houses and your own piles."), true);
      return;
    }
    // A run is lifted by dragging, or by tapping the card it begins with.
    const run = pile[0] === "t" ? cards : 1;
    this.#choose(pile, run);
    const words = longName(this.board.table.cards[this.board.table.pile(pile).at(-run)].face);
    this.bar.say(run > 1 ? gettext("{count} cards from the {card}: where to?", { count: run, card: words }) : this.#whereTo(pile, words));
  }

  /** Where a picked card may go, in words: who does not see the marks hears them. */
  #whereTo(pile, card) {
    const piles = this.#from(pile).map(({ move }) => targetPiles(move, this.seat, this.#suit(pile))[0]);
    if (!piles.length) return gettext("The {card} can go nowhere now.", { card });
    const places = piles.map((name) => (name[0] === "f" ? gettext("a foundation") : placeWords(name, this.seat, this.names)));
    return gettext("The {card}: where to? It can go to {places}.", { card, places: listed(places) });
  }

  thumb() {
    const { table } = this.board;
    const move = bestByThumb((this.state?.legal ?? []).map((one) => one.move), (pile) => table.pile(pile).length);
    if (!move) return null;
    return { move, source: sourcePile(move, this.seat), words: legalWords(move, table, this.names), why: thumbReason(move) };
  }

  #foundation(pile) {
    const move = this.#mayMove() && this.#from(pile).find(({ move: text }) => text.endsWith("-f"));
    if (!move) return false;
    this.#choose(null);
    this.play(move.move);
    return true;
  }

  /** The chosen card, or else any that can, to a foundation. */
  toFoundation() {
    if (!this.#mayMove()) return;
    const can = this.state.legal.filter(({ move }) => move.endsWith("-f"));
    const move = (this.chosen && can.find(({ move: text }) => sourcePile(text, this.seat) === this.chosen)) || can[0];
    if (move) this.play(move.move);
    else this.bar.say(gettext("No card can go to a foundation."), true);
  }

  move(from, to, cards = 1) {
    this.play(moveBetween(from, to, this.seat), cards);
  }

  /** Plays a move; a refused one goes back with the reason. */
  play(move, cards = 1) {
    return this.act({ do: "move", move, cards });
  }

  async act(action) {
    if (this.busy) return;
    this.busy = true;
    await this.tell(action);
    this.busy = false;
    this.mark();
    this.bar.ready();
  }

  /** Points out the pile of a hint, and where its move leads once that is told. */
  point(source, move) {
    const targets = move && source ? targetPiles(move, this.seat, this.#suit(source)) : [];
    this.view.mark([source].filter(Boolean), targets, null);
  }

  /** The drawn card in words, if one is. */
  get drawn() {
    const top = this.board.table.top("x");
    return top === undefined ? "" : shortName(this.board.table.cards[top].face);
  }
}
