// family: processes
// does: starts workers without end
// contained by: RLIMIT_NPROC: sixteen threads inside
// expect: bounded
// most: 16
// confined most: 80
// seconds: 10

require("readline").createInterface({ input: process.stdin }).once("line", () => {
  const { Worker } = require("worker_threads");
  let made = 0;
  const make = () => {
    try {
      const worker = new Worker("setInterval(() => {}, 1000)", { eval: true });
      worker.on("online", () => { made += 1; if (made < 100) make(); });
      worker.on("error", () => {});
    } catch {}
  };
  make();
  setTimeout(() => console.log("bounded " + made), 1500);
});
