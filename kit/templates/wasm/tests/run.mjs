// Runs the bot as the arena does, by node: node --no-warnings tools/run.mjs bot.wasm
import { readFileSync } from "node:fs";
import { argv, exit } from "node:process";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", args: ["bot.wasm"], env: {}, returnOnExit: true });
const module = new WebAssembly.Module(readFileSync(argv[2]));
exit(wasi.start(new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi.wasiImport })));
