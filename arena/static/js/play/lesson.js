/**
 * A step of a tutorial at the table: one thing is asked for, and the server says whether a move is that, or why not.
 * Pages of both kinds of game share what stands below the table.
 */

import { Bar } from "arena/play/bar";
import { PlayPage } from "arena/play/page";
import { markDone, showDone } from "arena/play/progress";
import { PuzzleClient } from "arena/play/solving";
import { sourcePile } from "arena/replay/moves";
import { eventWords } from "arena/replay/words";
import { TickPlay } from "arena/ticks/play";
import { gettext } from "arena/words";

/** How long a move of the opponent is shown. */
const SHOW_MS = 700;

/** Keeps nothing at the server, as a puzzle; a step may begin with a move of the opponent. */
class LessonClient extends PuzzleClient {
  restart() {
    this.moves = [];
    const { record: _, ...start } = this.start;
    this.tell({ ...start, from: 0 });
  }

  /** Nobody waits for whoever leaves. */
  post() {}
}

class LessonBar extends Bar {
  /** @param {TurnLesson|TickLesson} page */
  constructor(page) {
    super(/** @type {any} */ (page));
    this.lesson = page;
    this.hinted = 0;
  }

  get showMs() {
    return SHOW_MS;
  }

  /** On a small phone the table is as high as the window: what is said below it comes into view. */
  say(words, wrong = false) {
    super.say(words, wrong);
    if (words) this.reason.scrollIntoView({ block: "nearest" });
  }

  actions() {
    const { settings, help } = super.actions();
    const lesson = this.lesson ?? this.page;
    return { ...lesson.actions(), settings, help, hint: () => this.hint(), restart: () => lesson.client.restart() };
  }

  keys() {
    const { hint, help } = this.actions();
    return { ...this.lesson.keys(), h: hint, "?": help };
  }

  /** Says what is next, or what was learnt. */
  show(state) {
    const { dataset } = this.lesson.root;
    this.state = state;
    this.hinted = 0;
    const drawn = this.lesson.drawn;
    if (state.done) this.tell(`${gettext("Right!")} ${dataset.learnt}`);
    else if (drawn) this.tell(gettext("You drew {card}. Where should it go?", { card: drawn }));
    else this.tell(state.moves?.length ? gettext("Good. Go on.") : gettext("Your move."));
    this.able("hint", !state.done);
    this.able("restart", Boolean(state.moves?.length));
    if (this.legal) this.moves(state.done ? [] : state.legal);
    this.lesson.root.classList.toggle("is-done", state.done);
    this.#offer(state.done);
  }

  /** The way on: to the next step once this one is done, past it before. */
  #offer(done) {
    const next = this.lesson.find("[data-next]");
    const was = next.hidden;
    next.hidden = !done;
    this.lesson.find("[data-skip]").hidden = done;
    if (!done) return;
    markDone(this.lesson.root.dataset.variant, this.lesson.root.dataset.key);
    showDone(this.lesson.find("[data-tutorial]"));
    if (was) next.focus();
  }

  /** First the pile, then the move. */
  async hint() {
    const { hint, done } = this.lesson.state ?? {};
    if (!hint || done || !this.lesson.board.idle) return;
    const source = this.lesson.hintPile(hint);
    this.hinted += 1;
    if (source && this.hinted === 1) {
      this.say(`${gettext("Look at this pile: {pile}.", { pile: this.lesson.view.pileWords(source) })} ${gettext("Press again for more.")}`);
      this.lesson.point(source);
    } else {
      this.say(this.lesson.hintWords(hint));
      this.lesson.point(source, hint.move);
    }
  }
}

/** A step of a game of turns. */
export class TurnLesson extends PlayPage {
  makeClient(options) {
    return new LessonClient(this.root.dataset, options);
  }

  makeBar() {
    return new LessonBar(this);
  }

  took() {}

  actions() {
    return { pass: () => this.play("pass"), stop: () => this.act({ do: "stop" }), go: () => this.act({ do: "go" }) };
  }

  keys() {
    const { pass, stop, go } = this.actions();
    return {
      p: pass, s: stop, g: go,
      d: () => this.play(this.drawn ? "h-d" : "draw"),
      f: () => this.toFoundation(),
      Escape: () => this.tap(null),
    };
  }

  hintPile({ move }) {
    return move === "stop" ? "" : sourcePile(move, this.seat);
  }

  hintWords({ move, event }) {
    if (move === "stop") return gettext("Press “Stop!”.");
    if (move === "pass") return gettext("Press “Pass”.");
    if (move === "draw") return gettext("Tap your hand to draw.");
    return eventWords(event, this.names);
  }
}

/** A step of the game in ticks: each tick waits for the learner. */
export class TickLesson extends TickPlay {
  makeClient(options) {
    return new LessonClient(this.root.dataset, options);
  }

  makeBar() {
    return /** @type {any} */ (new LessonBar(this));
  }

  took() {}

  /** Nothing is drawn in this game. */
  get drawn() {
    return "";
  }

  actions() {
    return { stop: () => this.choose("stop"), wait: () => this.choose("wait"), turn: () => this.choose("turn") };
  }

  keys() {
    const { stop, wait, turn } = this.actions();
    const slots = [1, 2, 3, 4].map((slot) => [String(slot), () => this.choose(`s${slot}-f`)]);
    return {
      ...Object.fromEntries(slots),
      r: () => this.choose("r-f"), d: () => this.choose("d-f"), t: turn, s: stop, " ": wait,
    };
  }

  hintPile({ move }) {
    return this.pileOf(move);
  }

  hintWords({ move }) {
    return this.words(move);
  }
}
