// Plays any legal move: the smallest bot in JavaScript. No library is needed, a line of JSON answers a line of JSON.
"use strict";

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

const any = (legal) => legal[Math.floor(Math.random() * legal.length)];

const answer = {
  hello: () => say({ type: "ready", name: "random-js", position: false, events: false, ticks: true }),
  move: ({ id, legal }) => say({ id, moves: [any(legal)] }),
  tick: ({ id, legal }) => say({ id, action: any(legal) }),
  end: () => process.exit(0),
};

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    answer[message.type]?.(message);
  });
