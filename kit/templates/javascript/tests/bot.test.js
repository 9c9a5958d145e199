// Tests of the bot, run with: node --test tests/*.test.js
"use strict";

const assert = require("node:assert");
const test = require("node:test");
const { choose, rank } = require("../bot.js");

const POSITION = "crapaud 0 play - KH/4C/./8C/5C/TS/5S/QH";

test("a card goes to a foundation first", () => {
  assert.strictEqual(choose(["draw", "r-t1", "t2-f"], POSITION), "t2-f");
});

test("there is a rank for every kind of move", () => {
  const houses = POSITION.split(" ")[4].split("/");
  for (const move of ["t1-t2", "h-d", "h-d1", "draw", "pass", "s1-f", "turn", "stop", "wait"]) {
    assert.ok(rank(move, houses) >= 0, move);
  }
});
