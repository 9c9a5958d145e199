// A program of somebody who has only the OpenAPI document: its types come from there, and nothing else.
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

declare const process: { argv: string[]; stdout: { write(text: string): void } };

const [site, token, bot, source] = process.argv.slice(2) as [string, string, string, string];
const api = createClient<paths>({ baseUrl: site, headers: { Authorization: `Bearer ${token}` } });

function told<Data>(answer: { data?: Data; error?: unknown; response: Response }): Data {
  if (answer.data === undefined) {
    throw new Error(`${answer.response.status} ${answer.response.url}: ${JSON.stringify(answer.error)}`);
  }
  return answer.data;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const account = told(await api.GET("/api/v1/account/"));
if (!account.scopes.includes("upload")) throw new Error(account.scopes.join());

const uploaded = told(
  await api.POST("/api/v1/bots/", {
    body: { name: bot, file: source },
    bodySerializer: (body) => {
      const form = new FormData();
      form.set("name", body.name);
      form.set("file", new Blob([body.file]), "bot.py");
      return form;
    },
  }),
);
const version = { slug: uploaded.bot, version: uploaded.version };
let check = uploaded;
while (check.status === "uploaded" || check.status === "checking") {
  await pause(200);
  check = told(await api.GET("/api/v1/bots/{slug}/versions/{version}/", { params: { path: version } }));
}
if (check.status !== "accepted") throw new Error(check.log ?? check.status);

const cup = told(
  await api.POST("/api/v1/tournaments/", {
    body: { name: `Cup of ${bot}`, entrants: [{ bot: uploaded.bot }, { bot: "random" }], pairs: 1 },
  }),
);
const stream = await api.GET("/api/v1/stream/", {
  params: { query: { tournament: [cup.tournament] } },
  parseAs: "stream",
});
let lines = 0;
if (!stream.data) throw new Error("no stream");
const reader = (stream.data as ReadableStream<Uint8Array>).getReader();
const text = new TextDecoder();
let rest = "";
for (let part = await reader.read(); !part.done; part = await reader.read()) {
  const parts = (rest + text.decode(part.value, { stream: true })).split("\n");
  rest = parts.pop() ?? "";
  lines += parts.filter((line) => line && JSON.parse(line).tournament === cup.tournament).length;
}

const games = told(
  await api.GET("/api/v1/games/", { params: { query: { tournament: cup.tournament, status: "finished" } } }),
).items;
const first = games[0];
if (first === undefined) throw new Error("no games");
const path = { game: first.id };
const record = told(await api.GET("/api/v1/games/{game}/record/", { params: { path } }));
const missing = await api.GET("/api/v1/tournaments/{slug}/", { params: { path: { slug: "nothing" } } });
process.stdout.write(
  JSON.stringify({
    games: games.length,
    lines,
    seats: first.seats.map((seat) => seat.bot).sort(),
    record: record.game === first.id,
    refused: missing.error?.code,
  }),
);
