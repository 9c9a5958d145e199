// Greedy in JavaScript: the best-looking single move, without looking ahead. No library is needed: a line of JSON
// answers a line of JSON. The order of preference is also the precedence of crapette-it, so nobody can stop it.
"use strict";

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

// Where a card goes, best first: foundation, opponent's reserve, its discard, a house; then which card to get rid of.
const TARGETS = "frdt";
const SOURCES = "rdht";
const ACTIONS = ["r-f", "s1-f", "s2-f", "s3-f", "s4-f", "d-f", "turn", "wait", "stop"];

const rank = (houses) => (move) => {
  const [source, target] = move.split("-");
  if (move === "h-d") return 50;
  if (!target) return 40; // draw or pass
  if (target[0] !== "t" || source[0] !== "t") {
    return 10 * TARGETS.indexOf(target[0]) + SOURCES.indexOf(source[0]);
  }
  // Between houses only to empty one: anything else could go to and fro for ever.
  const pile = (name) => houses[Number(name.slice(1)) - 1];
  return pile(source).length === 2 && pile(target) !== "." ? 34 : 60;
};

const best = (moves, ranked) => moves.reduce((found, move) => (ranked(move) < ranked(found) ? move : found));

// In vitesse: how many cards a seat of the position line has, two letters each.
const left = (seat) => seat.replace(/[^A-Z2-9?]/g, "").length / 2;

let seat = 0;

const answer = {
  hello(message) {
    seat = message.seat;
    say({ type: "ready", name: "greedy-js", events: false, ticks: true });
  },
  move({ id, legal, position }) {
    say({ id, moves: [best(legal, rank(position.split(" ")[4].split("/")))] });
  },
  tick({ id, legal, position }) {
    const cards = position.split(" ").slice(3, 5).map(left);
    const stops = legal.includes("stop") && cards[seat] < cards[1 - seat];
    say({ id, action: stops ? "stop" : best(legal, (action) => ACTIONS.indexOf(action)) });
  },
  end: () => process.exit(0),
};

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    answer[message.type]?.(message);
  });
