/**
 * Moves a table along a timeline: stepping, seeking, playing, following a live game. Draws nothing itself:
 * it calls back with what to show and how long a card's way may take.
 */

import { tableOf } from "arena/replay/tables";

/** Milliseconds between plies for the speeds 1 … 9; the last is as fast as the screen. */
export const SPEEDS = [2000, 1300, 850, 550, 340, 200, 110, 55, 0];
const STEP_MS = 240;
/** More plies than these are a jump. */
export const FAR = 12;

export class Transport {
  /**
   * @param {import("arena/replay/timeline").Timeline} timeline
   * @param {{onShow: (change: {duration: number, from: number}) => void, onState?: () => void}} listener
   */
  constructor(timeline, listener) {
    this.timeline = timeline;
    this.listener = listener;
    this.table = tableOf(timeline.record.start);
    this.count = 0;
    /** The most events that were ever shown: what comes after them nobody has seen here. */
    this.furthest = 0;
    this.speed = 4;
    this.playing = false;
    /** Whether the end of the timeline is to be followed as it grows. */
    this.following = false;
    /** Whether it catches up with a running game, or goes on at its own speed however far behind it is. */
    this.hurries = true;
    this.timer = null;
    this.frame = null;
  }

  get atEnd() {
    return this.count >= this.timeline.length;
  }

  /**
   * Stands after `count` events.
   * @param {number} count
   * @param {{duration?: number, keepPlaying?: boolean}} options duration: milliseconds of a card's way
   */
  seek(count, { duration, keepPlaying = false } = {}) {
    const target = Math.max(0, Math.min(this.timeline.length, count));
    const from = this.count;
    while (this.count < target) this.table.apply(this.timeline.events[this.count++]);
    while (this.count > target) {
      this.table.undo();
      this.count -= 1;
    }
    this.furthest = Math.max(this.furthest, this.count);
    if (!keepPlaying) this.pause();
    this.following = this.atEnd && !this.timeline.result;
    const far = Math.abs(target - from) > FAR;
    this.listener.onShow({ duration: duration ?? (far ? 160 : STEP_MS), from });
  }

  step(by) {
    this.seek(this.count + by);
  }

  /** @type {(ply: number, options?: {duration?: number, keepPlaying?: boolean}) => void} */
  seekPly(ply, options) {
    this.seek(this.timeline.countAtPly(ply), options);
  }

  nextTurn() {
    this.seek(this.timeline.nextTurn(this.count));
  }

  previousTurn() {
    this.seek(this.timeline.previousTurn(this.count));
  }

  nextMoment() {
    this.seek(this.timeline.nextMoment(this.count));
  }

  toStart() {
    this.seek(0);
  }

  toEnd() {
    this.seek(this.timeline.length);
  }

  setSpeed(speed) {
    this.speed = Math.max(1, Math.min(SPEEDS.length, speed));
    if (this.playing) this.#schedule();
    this.listener.onState?.();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.atEnd && this.timeline.result) this.seek(0, { duration: 0, keepPlaying: true });
    this.playing = true;
    this.listener.onState?.();
    this.#schedule();
  }

  pause() {
    this.#stop();
    if (!this.playing) return;
    this.playing = false;
    this.listener.onState?.();
  }

  /** New events came: goes on if the viewer was following the end. */
  grew() {
    if (this.following && !this.playing) this.play();
    else this.listener.onState?.();
  }

  #stop() {
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
  }

  #schedule() {
    this.#stop();
    if (!this.playing) return;
    if (this.atEnd) {
      this.playing = false;
      this.following = !this.timeline.result;
      this.listener.onState?.();
      return;
    }
    const delay = this.#delay();
    if (delay) this.timer = setTimeout(() => this.#tick(), delay);
    else this.frame = requestAnimationFrame(() => this.#tick());
  }

  #delay() {
    const wanted = SPEEDS[this.speed - 1];
    if (!this.following || !this.hurries) {
      const turnEnds = this.count && this.timeline.notes[this.count - 1].ended;
      return turnEnds ? wanted * 1.5 : wanted;
    }
    // Behind a live game: catch up within about two seconds, whatever speed is chosen.
    return Math.min(wanted, 2000 / (this.timeline.length - this.count));
  }

  #tick() {
    // A replay waits for somebody who has turned away; a running game is followed all the same.
    if (document.hidden && !this.following) {
      this.#schedule();
      return;
    }
    const backlog = this.timeline.length - this.count;
    const wasFollowing = this.following;
    const wanted = SPEEDS[this.speed - 1];
    let by = wanted === 0 ? 4 : 1;
    if (wasFollowing && this.hurries && backlog > 80) by = backlog;
    const delay = this.#delay();
    this.seek(this.count + by, { duration: by > 1 ? 0 : Math.min(420, delay * 0.8), keepPlaying: true });
    this.following = wasFollowing || this.following;
    this.#schedule();
  }
}
