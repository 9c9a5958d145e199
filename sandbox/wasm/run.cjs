// Runs a bot that is a WebAssembly module: a command of WASI preview 1, with node's `node:wasi`.
//
//     node run.cjs bot.wasm           becomes the bot, and ends as it ends
//     node run.cjs --check bot.wasm   says in one line of standard output why the module is no bot, if so
//
// The module gets standard input, output and error, the clocks and random bytes: no directory, no socket, no variable
// of the environment, and its own name for an argument. What a bot has no use for is refused here and does not reach
// node's C code, which is not made for hostile modules: in node 20, `sock_send` to standard output ends it with SIGSEGV.
// The wall is the sandbox that holds JavaScript bots too.
"use strict";

const { readFileSync, writeSync } = require("node:fs");
const { WASI } = require("node:wasi");

const INTERFACE = "wasi_snapshot_preview1";
const HOW = "Build it for WASI preview 1 (wasm32-wasip1, in older tools wasm32-wasi)";
const OFFERED = new Set([
  ...["args_get", "args_sizes_get", "environ_get", "environ_sizes_get", "clock_res_get", "clock_time_get"],
  ...["fd_close", "fd_fdstat_get", "fd_fdstat_set_flags", "fd_filestat_get", "fd_prestat_get", "fd_prestat_dir_name"],
  ...["fd_read", "fd_seek", "fd_tell", "fd_write", "poll_oneoff", "proc_exit", "random_get", "sched_yield"],
]);
const NOT_CAPABLE = 76; // an errno of WASI
const FAILED = 1;
const SHOWN = 80;

/** A name from the module, short enough for a sentence and without anything that would not print. */
function quoted(name) {
  const plain = name.replace(/[^\x20-\x7e]/g, "?");
  return `'${plain.length > SHOWN ? `${plain.slice(0, SHOWN)}…` : plain}'`;
}

/** Why a compiled module is no command of WASI preview 1, as a sentence's end; empty if it is one. */
function complaint(module, offered) {
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    const what = `imports the ${kind} ${quoted(name)} from ${quoted(from)}`;
    if (from !== INTERFACE) return `${what}, but only ${INTERFACE} is there. ${HOW}.`;
    if (kind !== "function" || !Object.hasOwn(offered, name)) return `${what}, which does not have it. ${HOW}.`;
  }
  const exported = new Map(WebAssembly.Module.exports(module).map(({ name, kind }) => [name, kind]));
  if (exported.get("_start") !== "function") return "does not export a function '_start'. Build a program with main, not a library.";
  if (exported.has("_initialize")) return "exports '_initialize', as libraries do. Build a program with main.";
  if (exported.get("memory") !== "memory") return "does not export its memory under the name 'memory'.";
  return "";
}

/** The functions of WASI preview 1: those of node that a bot may call, and for all others one that refuses. */
function functionsOf(wasi) {
  const all = Object.entries(wasi.wasiImport);
  return Object.fromEntries(all.map(([name, call]) => [name, OFFERED.has(name) ? call : () => NOT_CAPABLE]));
}

/** What an engine's error says, without the name of the function that we called. */
function said(error) {
  return String(error?.message || error?.name || error).replace(/^WebAssembly\.\w+\(\): /, "");
}

/** The stack of an error that stopped the module: its own functions, and none of node's or ours. */
function traceOf(error) {
  if (error instanceof WebAssembly.Exception) return "Uncaught exception: the module threw it and nothing caught it.";
  const lines = String(error.stack || error).split("\n");
  return lines.filter((line) => !/^ +at /.test(line) || line.includes("wasm:")).join("\n");
}

function main([first, second]) {
  const checking = first === "--check";
  const file = checking ? second : first;
  const wasi = new WASI({ version: "preview1", args: ["bot.wasm"], env: {}, preopens: {}, returnOnExit: true });
  const functions = functionsOf(wasi);
  let module;
  let wrong = "";
  try {
    module = new WebAssembly.Module(readFileSync(file));
    wrong = complaint(module, functions);
  } catch (error) {
    wrong = `is not a valid WebAssembly module: ${said(error)}.`;
  }
  if (wrong || checking) {
    if (wrong) writeSync(checking ? 1 : 2, `${wrong}\n`);
    return wrong ? FAILED : 0;
  }
  try {
    return wasi.start(new WebAssembly.Instance(module, { [INTERFACE]: functions }));
  } catch (error) {
    writeSync(2, `${traceOf(error)}\n`);
    return FAILED;
  }
}

process.exit(main(process.argv.slice(2)));
