// My first bot: it ranks the legal moves by what they do, and plays the best.
"use strict";

const OTHERS = ["draw", "stop", "turn", "h-d", "wait", "pass"];

// How good a move looks: the lower, the better.
function rank(move, houses) {
  const [source, target = ""] = move.split("-");
  if (target === "f") return 0; // a card to a foundation
  if (source === "r") return 1; // a card from your reserve
  if (/^r|^d./.test(target)) return 2; // a card onto an opponent's pile
  if (!target.startsWith("t")) return 5 + OTHERS.indexOf(move);
  if (!source.startsWith("t")) return 3; // a card from your hand or discard to a house
  const taller = houses[target.slice(1) - 1].length >= houses[source.slice(1) - 1].length;
  return taller ? 4 : 99; // a card onto a taller house; other moves of houses could go on for ever
}

function choose(legal, position) {
  const houses = position.split(" ")[4].split("/");
  return legal.reduce((best, move) => (rank(move, houses) < rank(best, houses) ? move : best));
}

console.log = console.error; // standard output is for answers
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

const answers = {
  hello: () => say({ type: "ready", events: false, ticks: true }),
  move: ({ id, legal, position }) => say({ id, moves: [choose(legal, position)] }),
  tick: ({ id, legal, position }) => say({ id, action: choose(legal, position) }),
  end: () => process.exit(0),
};

if (require.main === module) {
  require("node:readline")
    .createInterface({ input: process.stdin })
    .on("line", (line) => {
      const message = JSON.parse(line);
      answers[message.type]?.(message); // ignore what you do not know
    });
}

module.exports = { choose, rank };
