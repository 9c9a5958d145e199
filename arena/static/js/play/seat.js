/** A person's page of any game: connects server, board, hand, keys and bar. What is played is for subclasses. */

import { Board } from "arena/play/board";
import { Client } from "arena/play/client";
import { Hand } from "arena/play/hand";
import { bindKeys } from "arena/play/keys";
import { MoveLog } from "arena/play/movelog";
import { View } from "arena/replay/view";
import { Sound } from "arena/replay/sound";
import { namesWithYou, resultWords, spokenWords } from "arena/replay/words";
import { gettext } from "arena/words";

/** How long a card takes that goes back where it was. */
export const BACK_MS = 200;

export class SeatPage {
  constructor(root) {
    this.root = root;
    this.find = (selector) => root.querySelector(selector);
    this.seat = Number(root.dataset.seat);
    this.state = null;
  }

  async open() {
    this.client = this.makeClient({
      token: this.root.dataset.token,
      have: () => ({ length: this.board.log.length, epoch: this.state.epoch }),
      onState: (state) => this.#news(state),
      onLine: (online) => this.root.classList.toggle("is-offline", !online),
    });
    try {
      await this.#build(await this.client.first());
    } catch (error) {
      const veil = this.find("[data-veil]");
      veil.firstElementChild.textContent = `${gettext("This game could not be shown.")} ${error.message}`;
      throw error;
    }
  }

  /**
   * Who talks with the server.
   * @param {ConstructorParameters<typeof Client>[1]} options
   * @returns {any}
   */
  makeClient(options) {
    return new Client(this.root.dataset, options);
  }

  async #build(first) {
    this.names = namesWithYou(first.record.seats.map(({ bot }) => bot), this.seat);
    const felt = this.find("[data-felt]");
    this.panels = [...felt.querySelectorAll(".seat")];
    const options = { deck: this.root.dataset.deck, panels: this.panels, names: this.names, bottom: this.seat, own: true };
    this.view = new View(felt, { ...options, keys: this.pileKeys() });
    this.sound = new Sound(this.root);
    this.log = new MoveLog(this.find("[data-log]"), this.names);
    this.bar = this.makeBar();
    this.board = new Board(this.view, {
      seat: this.seat,
      pace: () => this.bar.showMs,
      onShown: (event, quiet) => this.#shown(event, quiet),
      onIdle: () => this.#settled(),
    });
    await this.board.begin(first.record.start);
    this.hand = new Hand(this.view, this.handOptions());
    bindKeys(this.view, { tap: (pile) => this.tap(pile), ...this.bar.keys() });
    // What was played before this page is not shown move by move.
    this.state = first;
    this.board.take(0, first.events);
    this.board.hurry();
    felt.dataset.ready = "";
    this.find("[data-veil]").hidden = true;
    this.took(first);
    this.#settled();
    if (!first.result) this.client.listen();
  }

  /**
   * What stands below the table.
   * @returns {any}
   */
  makeBar() {
    throw new Error("expected a game's own bar");
  }

  /**
   * What a hand over the felt may do (`Hand`).
   * @returns {ConstructorParameters<typeof Hand>[1]}
   */
  handOptions() {
    throw new Error("expected a game's own moves");
  }

  /** Marks of keys on piles, by pile. */
  pileKeys() {
    return {};
  }

  /** @param {string|null} _pile was tapped, or taken by the keyboard */
  tap(_pile) {}

  /** @param {object} _state the new state of the server */
  took(_state) {}

  /** Points out what can be played. */
  mark() {}

  /**
   * Points out the pile of a hint, and where its move leads once that is told.
   * @param {string} _source
   * @param {string} [_move]
   */
  point(_source, _move) {}

  /**
   * What looks best to play without a search: its move, its pile, and both in words; nothing if there is nothing to play.
   * @returns {{move: string, source: string, words: string, why: string} | null}
   */
  thumb() {
    return null;
  }

  /** Whether a state says anything that the last one did not; an older one that comes late does not. */
  isNews({ revision, trouble }) {
    return revision > this.state.revision || (revision === this.state.revision && trouble !== this.state.trouble);
  }

  #news(state) {
    if (!this.isNews(state)) return;
    const stale = state.from !== this.board.log.length || state.events.length;
    this.state = state;
    if (stale) this.interrupt();
    this.log.keep(state.from);
    this.took(state);
    this.board.take(state.from, state.events);
  }

  #shown(event, quiet) {
    this.log.add(event);
    if (!quiet) this.sound.heard(event);
    this.find("[data-say]").textContent = spokenWords(event, this.names);
    this.counts(event);
  }

  /** All that has arrived is shown: what may be done now, or how it ended. */
  #settled() {
    if (!this.state) return;
    this.counts(this.board.log.at(-1));
    this.bar.show(this.state);
    this.mark();
    if (this.state.result) this.#over();
  }

  /** The table is about to change: what is held or chosen is put down. */
  interrupt() {
    this.hand.cancel();
  }

  /**
   * Writes what stands in the seats' panels.
   * @param {object} [_event] the last one, if there was one
   */
  counts(_event) {
    this.panels.forEach((panel, seat) => {
      panel.querySelector("[data-left]").textContent = gettext("{count} left", { count: this.board.table.left(seat) });
    });
  }

  #over() {
    if (this.ended) return;
    this.ended = true;
    this.client.end();
    if (this.state.record) this.board.reveal(this.state.record.start);
    const { heading, sentence } = resultWords(this.state.result, this.names);
    const { ranking } = this.state.result;
    this.bar.over({ heading, sentence, won: ranking.length > 1 && ranking[0].includes(this.seat) });
  }

  /** What was tried is not possible: the cards go back. */
  refuse() {
    this.view.render({ duration: BACK_MS });
    this.view.felt.classList.remove("is-refused");
    requestAnimationFrame(() => this.view.felt.classList.add("is-refused"));
  }

  /** Does something on the server and says why if it was refused. */
  async tell(action) {
    try {
      const { refused, result } = await this.client.act(action);
      // Who presses a key once more as the last card goes has done nothing wrong.
      if (result) return;
      this.bar.say(refused, true);
      if (refused) this.refuse();
    } catch (error) {
      this.bar.say(`${gettext("That did not work.")} ${error.message}`, true);
      this.view.render({ duration: BACK_MS });
    }
  }
}
