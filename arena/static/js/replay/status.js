/** The panel beside the table: a running game's state, or how the game ended and why. */

import { clockWords, resultWords, timeWords } from "arena/replay/words";

const LIVE_WORDS = {
  connecting: "Connecting…",
  live: "Live",
  waiting: "Connection lost, trying again…",
  finished: "Finished",
};

function line(parent, name, className, text) {
  const node = document.createElement(name);
  if (className) node.className = className;
  node.textContent = text;
  parent.append(node);
  return node;
}

export class StatusPanel {
  constructor(panel, timeline, names) {
    this.panel = panel;
    this.timeline = timeline;
    this.names = names;
    this.state = null;
    this.shown = null;
  }

  live(state) {
    this.state = state;
    this.show();
  }

  show() {
    const result = this.timeline.result;
    const key = result ? "result" : `${this.state}`;
    if (key === this.shown && !this.timeline.fault) return;
    this.shown = key;
    this.panel.replaceChildren();
    if (result) this.#result(result);
    else this.#running();
    if (this.timeline.fault) line(this.panel, "p", "alert", this.timeline.fault);
  }

  #running() {
    const chip = line(this.panel, "p", `chip ${this.state === "live" ? "chip--live" : "chip--quiet"}`,
      LIVE_WORDS[this.state] ?? "Not finished");
    chip.dataset.livestate = this.state ?? "";
    const words = this.state === "live" ? "Moves appear as they are played. Step back at any time; End returns to the present." : "";
    if (words) line(this.panel, "p", "small muted", words);
  }

  #result(result) {
    const { heading, sentence } = resultWords(result, this.names);
    const title = line(this.panel, "h2", "", heading);
    title.dataset.result = result.termination;
    line(this.panel, "p", "", sentence);
    const facts = document.createElement("dl");
    facts.className = "facts";
    const fact = (label, value) => {
      const box = document.createElement("div");
      line(box, "dt", "", label);
      line(box, "dd", "num", value);
      facts.append(box);
    };
    if (result.points?.some(Boolean)) fact("Points", result.points.join(" : "));
    fact("Length", `${result.plies ?? this.timeline.at(this.timeline.length).ply} plies, ${this.timeline.turns.length} turns`);
    if (result.cpu_ms?.length) fact("Computing time", result.cpu_ms.map((ms) => timeWords(ms) || "0 ms").join(" : "));
    const clocks = this.timeline.at(this.timeline.length).clocks;
    if (clocks) fact("Clocks", clocks.map(clockWords).join(" : "));
    this.panel.append(facts);
  }
}
