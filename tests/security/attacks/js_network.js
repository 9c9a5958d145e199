// family: network
// does: connects from node
// contained by: seccomp: no sockets
// expect: denied
// without: seccomp

require("readline").createInterface({ input: process.stdin }).once("line", () => {
  const socket = require("net").connect(8000, "127.0.0.1");
  socket.on("connect", () => console.log("escaped"));
  socket.on("error", (error) => console.log((error.code === "EPERM" ? "denied: " : "escaped: ") + error.code));
});
