// family: files
// does: reads and writes the host's files from node
// contained by: the mount namespace; Landlock
// expect: denied
// without: landlock

require("readline").createInterface({ input: process.stdin }).once("line", () => {
  const fs = require("fs");
  const found = ["/etc/passwd", "/proc/self/environ", "/root", "/usr/bin/su", "/"].filter((path) => {
    try {
      fs.closeSync(fs.openSync(path, "r"));
      return true;
    } catch {
      return false;
    }
  });
  for (const path of ["/tmp/x", "./x", __filename]) {
    try {
      fs.writeFileSync(path, "x");
      found.push("write " + path);
    } catch {}
  }
  console.log(found.length ? "escaped: " + found : "denied");
});
