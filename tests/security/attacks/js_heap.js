// family: memory
// does: fills node's heap
// contained by: node's own heap limit, set below RLIMIT_DATA
// expect: memory
// seconds: 30

require("readline").createInterface({ input: process.stdin }).once("line", () => {
  const kept = [];
  for (;;) kept.push(new Array(1000).fill(kept.length));
});
