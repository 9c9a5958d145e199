// family: memory
// does: names itself like a line of its own status and fills memory outside node's heap
// contained by: RLIMIT_DATA; a name is no figure
// expect: memory
// seconds: 30

process.title = "VmData:x";
require("readline").createInterface({ input: process.stdin }).once("line", () => {
  const kept = [];
  for (let count = 0; count < 2000; count++) kept.push(Buffer.alloc(16 << 20, 1));
  console.log("escaped");
});
