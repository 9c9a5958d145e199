// family: memory
// does: fills memory outside node's heap
// contained by: RLIMIT_DATA
// expect: memory
// seconds: 30

require("readline").createInterface({ input: process.stdin }).once("line", () => {
  const kept = [];
  for (let count = 0; count < 2000; count++) kept.push(Buffer.alloc(16 << 20, 1));
  console.log("escaped");
});
