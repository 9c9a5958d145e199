// family: other processes
// does: signals others from node
// contained by: the filter for signals
// expect: denied
// without: signals landlock

require("readline").createInterface({ input: process.stdin }).once("line", () => {
  const found = [1, process.ppid, -1].filter((pid) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  });
  console.log(found.length ? "escaped: " + found : "denied");
});
