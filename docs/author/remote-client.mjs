// Plays on an arena with a program of yours, from your own machine: crapette connect in plain node, without packages.
//   CRAPETTE_TOKEN=… node remote-client.mjs https://arena.example mybot ./mybot [ARGUMENT …]
//
// Ctrl-C finishes the games being played; the second ends at once. docs/author/remote.md describes the frames.

import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import http from "node:http";
import https from "node:https";
import readline from "node:readline";

const [site, bot, command, ...rest] = process.argv.slice(2);
const BOARDS = (process.env.BOARDS ?? "crapaud").split(","); // the boards that the program plays
const games = new Map(); // by the game's id: its program, the last line it was given, open questions, answers
let [socket, pause, leaving] = [null, 0.5, false]; // the open websocket; seconds before the next attempt

function send(frame) {
  socket?.write(encode(1, Buffer.from(JSON.stringify(frame))));
}

function encode(opcode, data) {
  const mask = randomBytes(4); // clients must mask what they send
  const long = data.length > 65535 ? 8 : data.length > 125 ? 2 : 0;
  const head = Buffer.alloc(2 + long);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | (long === 8 ? 127 : long === 2 ? 126 : data.length);
  if (long === 8) head.writeBigUInt64BE(BigInt(data.length), 2);
  if (long === 2) head.writeUInt16BE(data.length, 2);
  return Buffer.concat([head, mask, data.map((byte, i) => byte ^ mask[i % 4])]);
}

function* decode(state) { // whole frames at the front of what was read: [opcode, last fragment?, data]
  for (;;) {
    const { bytes } = state;
    if (bytes.length < 2) return;
    let [size, at] = [bytes[1] & 127, 2];
    if (bytes.length < 10 && size > 125 && bytes.length < (size === 126 ? 4 : 10)) return;
    if (size === 126) [size, at] = [bytes.readUInt16BE(2), 4];
    else if (size === 127) [size, at] = [Number(bytes.readBigUInt64BE(2)), 10];
    if (size > 262144) throw new Error("the site sent a frame that is too long");
    if (bytes.length < at + size) return;
    state.bytes = bytes.subarray(at + size);
    yield [bytes[0] & 15, bytes[0] > 127, bytes.subarray(at, at + size)];
  }
}

function start(id) {
  const program = spawn(command, rest, { stdio: ["pipe", "pipe", "inherit"], detached: true });
  const game = { program, received: 0, open: [], answers: new Map() };
  games.set(id, game);
  program.stdin.on("error", () => {});
  program.on("error", (error) => console.error(`${command}: ${error.message}`));
  program.on("close", () => games.get(id) === game && game.open.length && finish(id, true));
  readline.createInterface({ input: program.stdout }).on("line", (line) => {
    const n = game.open.shift();
    if (n === undefined) return console.error(`Nobody asked for ${line}`);
    game.answers.set(n, line).delete(n - 32);
    send({ type: "line", game: id, n, line });
  });
}

function finish(id, isGivenUp = false) {
  if (isGivenUp) send({ type: "abandon", game: id });
  games.get(id)?.program.stdin.end();
  games.delete(id);
  if (leaving && !games.size) process.exit();
}

function follow(frame) {
  const game = games.get(frame.game);
  if (frame.type === "welcome") pause = 0.5;
  if (frame.type === "game" && !game) start(frame.game);
  if (frame.type === "line" && game) {
    if (frame.n > game.received) {
      game.received = frame.n;
      if (JSON.parse(frame.line).type !== "end") game.open.push(frame.n);
      game.program.stdin.write(`${frame.line}\n`);
      if (game.program.exitCode !== null && game.open.length) finish(frame.game, true);
    } else if (game.answers.has(frame.n)) { // asked again after a lost connection
      send({ type: "line", game: frame.game, n: frame.n, line: game.answers.get(frame.n) });
    }
  }
  if (frame.type !== "line") console.log(JSON.stringify(frame));
  if (frame.type === "over") finish(frame.game);
  if (frame.type !== "refused") return;
  if (["off", "too-fast", "limit"].includes(frame.code)) pause = 60;
  else if (!["restarting", "too-slow"].includes(frame.code)) process.exit(2);
}

function connect() {
  const key = randomBytes(16).toString("base64");
  const headers = { Authorization: `Bearer ${process.env.CRAPETTE_TOKEN}`, Connection: "Upgrade", Upgrade: "websocket" };
  Object.assign(headers, { "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13" });
  const request = (site.startsWith("https:") ? https : http).get(`${site}/api/v1/remote/`, { headers });
  const again = () => (leaving && !games.size ? process.exit(1) : setTimeout(connect, 1000 * pause * (0.5 + Math.random() / 2)));
  request.on("error", (error) => (console.error(error.message), (pause = Math.min(60, pause * 2)), again()));
  request.on("response", (answer) => answer.on("data", (text) => console.error(`${text}`)).on("end", () => process.exit(2)));
  request.on("upgrade", (answer, opened) => {
    const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
    if (answer.headers["sec-websocket-accept"] !== accept) opened.destroy();
    socket = opened;
    const [state, parts] = [{ bytes: Buffer.alloc(0) }, []];
    opened.on("error", () => {}).on("close", () => ((socket = null), (pause = Math.min(60, pause * 2)), again()));
    opened.on("data", (data) => {
      state.bytes = Buffer.concat([state.bytes, data]);
      for (const [opcode, last, content] of decode(state)) {
        if (opcode === 9) opened.write(encode(10, content)); // a ping wants a pong
        if (opcode === 8) opened.end(encode(8, content));
        if (opcode < 3) parts.push(content);
        if (opcode < 3 && last) follow(JSON.parse(Buffer.concat(parts.splice(0))));
      }
    });
    const holding = [...games].map(([game, { received }]) => ({ game, received }));
    send({ type: "hello", wire: 1, bot, boards: BOARDS, games: Number(process.env.GAMES ?? 1), people: false, holding });
    if (leaving) send({ type: "leaving" });
  });
}

process.on("SIGINT", () => (leaving || !games.size ? process.exit() : ((leaving = true), send({ type: "leaving" }))));
connect();
