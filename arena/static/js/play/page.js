/** One person's table on a page: connects server, board, hand, keys and the bar below. */

import { longName, shortName } from "arena/replay/cards";
import { Bar } from "arena/play/bar";
import { Board } from "arena/play/board";
import { Client } from "arena/play/client";
import { Hand } from "arena/play/hand";
import { bindKeys } from "arena/play/keys";
import { isOwn, moveBetween, sourcePile, targetPiles } from "arena/replay/moves";
import { MoveLog } from "arena/play/movelog";
import { View } from "arena/replay/view";
import { resultWords, spokenWords } from "arena/replay/words";

const BACK_MS = 200;

export class PlayPage {
  constructor(root) {
    this.root = root;
    this.find = (selector) => root.querySelector(selector);
    this.seat = Number(root.dataset.seat);
    this.state = null;
    this.chosen = null;
    this.busy = false;
  }

  async open() {
    this.client = new Client(this.root.dataset, {
      token: this.root.dataset.token,
      have: () => ({ length: this.board.log.length, epoch: this.state.epoch }),
      onState: (state) => this.#take(state),
      onLine: (online) => this.root.classList.toggle("is-offline", !online),
    });
    try {
      await this.#build(await this.client.first());
    } catch (error) {
      const veil = this.find("[data-veil]");
      veil.firstElementChild.textContent = `This game could not be shown: ${error.message}.`;
      throw error;
    }
  }

  async #build(first) {
    this.names = first.record.seats.map(({ bot }) => bot);
    const felt = this.find("[data-felt]");
    const panels = [...felt.querySelectorAll(".seat")];
    this.view = new View(felt, { deck: this.root.dataset.deck, panels, names: this.names, bottom: this.seat });
    this.log = new MoveLog(this.find("[data-log]"), this.names);
    this.bar = new Bar(this);
    this.board = new Board(this.view, {
      seat: this.seat,
      pace: () => Number(this.bar.pace.value),
      onShown: (event) => this.#shown(event),
      onIdle: () => this.#settled(),
    });
    this.hand = new Hand(this.view, {
      mayLift: (pile) => this.#mayMove() && isOwn(pile, this.seat),
      onLift: (pile, cards) => this.#lift(pile, cards),
      onDrop: (from, to, cards) => this.#drop(from, to, cards),
      onTap: (pile, cards) => this.tap(pile, cards),
      onDouble: (pile) => this.#foundation(pile),
    });
    bindKeys(this.view, { tap: (pile) => this.tap(pile), ...this.bar.keys() });
    await this.board.begin(first.record.start);
    // What was played before this page is not shown move by move.
    this.state = first;
    this.board.take(0, first.events);
    this.board.hurry();
    felt.dataset.ready = "";
    this.find("[data-veil]").hidden = true;
    this.bar.clock.set(first);
    this.#settled();
    if (!first.result) this.client.listen();
  }

  /** A new state of the server; an older one that comes late is dropped. */
  #take(state) {
    const { revision, trouble } = this.state;
    if (state.revision < revision || (state.revision === revision && state.trouble === trouble)) return;
    const stale = state.from !== this.board.log.length || state.events.length;
    this.state = state;
    if (stale) {
      this.hand.cancel();
      this.#choose(null);
    }
    this.log.keep(state.from);
    this.bar.clock.set(state);
    this.board.take(state.from, state.events);
  }

  #shown(event) {
    this.log.add(event);
    const words = spokenWords(event, this.names);
    // A screen reader need not be told what its user has just done.
    if (event.seat !== this.seat) this.find("[data-say]").textContent = words;
    this.#counts();
  }

  /** All that has arrived is shown: whose turn it is now, or how it ended. */
  #settled() {
    if (!this.state) return;
    this.#counts();
    this.bar.show(this.state);
    this.#mark();
    if (this.state.result) this.#over();
  }

  #counts() {
    this.view.felt.querySelectorAll(".seat").forEach((panel, seat) => {
      panel.querySelector("[data-left]").textContent = `${this.board.table.left(seat)} left`;
    });
  }

  #over() {
    if (this.ended) return;
    this.ended = true;
    this.client.end();
    if (this.state.record) this.board.reveal(this.state.record.start);
    const { heading, sentence } = resultWords(this.state.result, this.names);
    const won = this.state.result.ranking.length > 1 && this.state.result.ranking[0].includes(this.seat);
    this.bar.over(won ? "You win!" : heading, sentence);
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
    this.#mark();
  }

  #mark() {
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
      this.bar.say(top === undefined ? "Nothing lies there to be moved." : "Only the houses and your own piles can be played from.", true);
      return;
    }
    // A run is lifted by dragging, or by tapping the card it begins with.
    const run = pile[0] === "t" ? cards : 1;
    this.#choose(pile, run);
    const words = longName(this.board.table.cards[this.board.table.pile(pile).at(-run)].face);
    this.bar.say(run > 1 ? `${run} cards from ${words} on: where to?` : `The ${words}: where to?`);
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
    else this.bar.say("No card can go to a foundation.", true);
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
    try {
      const { refused } = await this.client.act(action);
      this.bar.say(refused, true);
      if (refused) this.#refuse();
    } catch (error) {
      this.bar.say(`That did not reach the server: ${error.message}.`, true);
      this.view.render({ duration: BACK_MS });
    } finally {
      this.busy = false;
      this.#mark();
      this.bar.ready();
    }
  }

  #refuse() {
    this.view.render({ duration: BACK_MS });
    this.view.felt.classList.remove("is-refused");
    requestAnimationFrame(() => this.view.felt.classList.add("is-refused"));
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
