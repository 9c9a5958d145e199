/** A puzzle at the table: one turn is played, the server judges it, and then says what would have won. */

import { Bar } from "arena/play/bar";
import { PlayPage } from "arena/play/page";
import { PuzzleClient } from "arena/play/solving";
import { gettext, labelled } from "arena/words";

class PuzzleBar extends Bar {
  /** @param {PuzzlePage} page */
  constructor(page) {
    super(page);
    this.puzzle = page;
  }

  actions() {
    const page = this.puzzle;
    const { pass, settings, help } = super.actions();
    return {
      ...{ pass, settings, help },
      undo: () => page.act({ do: "undo" }),
      restart: () => page.restart(),
      check: () => page.check(),
      solution: () => page.solution(),
    };
  }

  keys() {
    const { u, p, d, f, Escape, "?": help } = super.keys();
    return { u, p, d, f, Escape, "?": help, r: () => this.puzzle.restart() };
  }

  show(state) {
    this.state = state;
    const page = this.puzzle;
    const mine = state.awaits === "person" && !page.told;
    if (mine) this.tell(page.drawn ? gettext("You drew {card}. Where should it go?", { card: page.drawn }) : page.root.dataset.task);
    this.able("undo", mine && !state.undo);
    this.able("restart", !state.undo || Boolean(page.told));
    this.able("pass", mine && state.legal.some(({ move }) => move === "pass"));
    this.moves(mine ? state.legal : []);
  }
}

/** What the turn did to the rating. */
function ratedWords({ first, rating, change }) {
  if (!first) return gettext("Your rating stays {rating}: only the first try counts.", { rating });
  if (change === null) return gettext("Your rating is about {rating}. It is still being measured.", { rating });
  return gettext("Your rating is now {rating} ({change}).", { rating, change: `${change < 0 ? "−" : "+"}${Math.abs(change)}` });
}

export class PuzzlePage extends PlayPage {
  constructor(root) {
    super(root);
    /** What the server said about the turn that was played last. */
    this.told = null;
  }

  makeClient(options) {
    return new PuzzleClient(this.root.dataset, options);
  }

  makeBar() {
    return new PuzzleBar(this);
  }

  took() {}

  async act(action) {
    if (this.told) return;
    await super.act(action);
    if (this.state.awaits !== "person") await this.check();
  }

  /** Has the turn judged. */
  async check() {
    if (this.busy) return;
    // Until the verdict is there, the table stays as it is judged.
    this.busy = true;
    this.#offer("check", false);
    this.bar.tell(gettext("Checking your turn…"));
    try {
      this.told = await this.client.answer();
    } catch (error) {
      this.bar.tell(gettext("Your turn could not be checked."));
      this.bar.say(error.message, true);
      this.#offer("check", true);
      return;
    } finally {
      this.busy = false;
    }
    this.#verdict(this.told);
  }

  #verdict({ wins, words, reply, rated, who, game, themes = [] }) {
    this.root.dataset.verdict = wins === null ? "open" : wins ? "right" : "wrong";
    this.bar.tell(words);
    const missed = who && gettext("In the game {player} missed it.", { player: who });
    const about = themes.length && labelled(gettext("Themes"), themes.join(", "));
    this.bar.say([rated && ratedWords(rated), missed, about && `${about}.`].filter(Boolean).join(" "));
    this.#offer("next", wins !== null);
    this.#offer("solution", wins !== null);
    this.#offer("undo", false);
    this.#offer("pass", false);
    const link = this.find("[data-game]");
    link.hidden = !game;
    if (game) link.href = game;
    this.#rating(rated);
    if (reply.length) this.board.take(this.board.log.length, reply);
  }

  #rating(rated) {
    const shown = this.find("[data-rating]");
    if (rated && shown) shown.textContent = String(rated.rating);
  }

  /** The same puzzle once more. */
  restart() {
    if (this.busy) return;
    this.told = null;
    delete this.root.dataset.verdict;
    this.bar.say("");
    this.#offer("undo", true);
    this.#offer("pass", true);
    this.client.restart();
  }

  /** Shows a turn that wins. */
  solution() {
    if (!this.told?.solution) return;
    this.log.keep(0);
    this.board.take(0, []);
    this.bar.tell(gettext("This turn wins."));
    this.board.take(0, this.told.solution);
  }

  /** Shows a button, or hides it. */
  #offer(name, there) {
    this.find(`[data-do="${name}"], [data-offer="${name}"]`).hidden = !there;
  }
}
