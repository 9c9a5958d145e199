/** A reveal: says the place that was just revealed, and plays a finished one again, from the bottom of the table up. */

const VEILED = "reveal__row--veiled";
const FRESH = "reveal__row--fresh";

const page = document.getElementById("reveal");
const status = document.getElementById("reveal-said");

/** Steps through the rows of a table that is wholly revealed; `known` of them are shown. */
class Replay {
  constructor(controls) {
    this.controls = controls;
    this.rows = [.../** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll(".reveal__row"))].reverse();
    this.known = this.rows.length;
    for (const button of controls.querySelectorAll("[data-reveal]")) {
      button.addEventListener("click", () => this.#act(button.dataset.reveal));
    }
    document.addEventListener("keydown", (event) => this.#press(event));
    controls.hidden = false;
  }

  #press(event) {
    const act = { ArrowRight: "next", ArrowUp: "next", ArrowLeft: "back", ArrowDown: "back", Escape: "all" }[event.key];
    const typing = event.target.closest?.("input, select, textarea, summary");
    if (!act || !this.playing || typing || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.#act(act);
  }

  get playing() {
    return this.known < this.rows.length;
  }

  #act(name) {
    const most = this.rows.length;
    const known = { start: 0, next: this.known + 1, back: this.known - 1, all: most }[name];
    const before = this.known;
    this.known = Math.max(0, Math.min(most, known));
    this.rows.forEach((row, index) => {
      row.classList.toggle(VEILED, index >= this.known);
      row.classList.toggle(FRESH, index === this.known - 1 && this.known === before + 1);
      row.inert = index >= this.known;
    });
    this.#show(before);
  }

  #show(before) {
    const playing = this.playing;
    for (const button of this.controls.querySelectorAll("[data-reveal]")) {
      button.hidden = (button.dataset.reveal === "start") === playing;
    }
    const focus = playing ? "next" : "start";
    this.controls.querySelector(`[data-reveal="${focus}"]`).focus({ preventScroll: true });
    const row = this.rows[this.known - 1];
    status.textContent = this.known > before && row ? row.dataset.said : "";
    if (playing) row?.scrollIntoView({ block: "nearest" });
  }
}

/** Says the place that was just revealed: once the first is known, which comes last, no row is fresh any more. */
function begin({ type = "" } = {}) {
  /** @type {HTMLElement} */
  let fresh = page.querySelector(`.${FRESH}`);
  if (type && !fresh) fresh = page.querySelector(".reveal__row--first[data-said]");
  if (fresh) status.textContent = fresh.dataset.said;
  const controls = page.querySelector(".reveal__controls");
  if (controls) new Replay(controls);
}

page.addEventListener("htmx:afterSettle", begin);
begin();
