// family: processes
// does: starts a program from node
// contained by: seccomp: no fork; Landlock allows no program
// expect: denied

require("readline").createInterface({ input: process.stdin }).once("line", () => {
  try {
    require("child_process").execFileSync("/usr/bin/id");
    console.log("escaped");
  } catch (error) {
    console.log("denied: " + error.code);
  }
});
