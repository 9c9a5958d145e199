// family: memory
// does: loads native code from its own folder, from the main thread and from workers with options of their own
// contained by: node --no-addons, and the inspection of uploads, which refuses ELF
// expect: denied
// without: no-addons

const { Worker, isMainThread, parentPort } = require("worker_threads");
const tries = [
  () => process.dlopen({ exports: {} }, __filename),
  () => require("module")._extensions[".node"]({ exports: {} }, __filename),
];
const why = () =>
  tries.map((attempt) => {
    try {
      attempt();
      return "done";
    } catch (error) {
      return error.code || error.message;
    }
  });
if (isMainThread) {
  require("readline").createInterface({ input: process.stdin }).once("line", async () => {
    const said = [why()];
    for (const options of [{}, { execArgv: [] }, { execArgv: ["--addons"] }, { env: { NODE_OPTIONS: "--addons" }, execArgv: [] }]) {
      try {
        const worker = new Worker(__filename, options);
        said.push(await new Promise((heard, lost) => worker.once("message", heard).once("error", lost)));
      } catch (error) {
        said.push(["ERR_DLOPEN_DISABLED"]);
      }
    }
    const bad = said.flat().filter((code) => code !== "ERR_DLOPEN_DISABLED");
    console.log(bad.length ? "escaped: " + bad : "denied");
  });
} else parentPort.postMessage(why());
