// family: time
// does: thinks for ever in node
// contained by: the deadline of the question
// expect: silent
// seconds: 0.5

require("readline").createInterface({ input: process.stdin }).once("line", () => {
  for (;;) {}
});
