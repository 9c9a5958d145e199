/*
 * Lets rules and replays that were opened be read without a connection. Pages come from the network first; what is
 * kept was asked for without cookies, so it is what strangers see. A new version of the static files begins anew.
 */
"use strict";

const NAME = "crapette-2-{{ version }}";
const STATIC = "{{ static }}";
const OFFLINE = "{{ offline }}";
const WORDS = "/words/";
const SHELL = {{ shell|safe }};
/** Pages worth keeping, and what replays are made of. */
const READ = /^\/(?:rules|glossary)\/|^\/games\/[0-9a-f-]{36}\/(?:(?:record|values|moves)\.json)?$/;
const MOST = 120;

/** Whether what is at an address never changes. */
const isFixed = (pathname) => pathname.startsWith(STATIC) || pathname.startsWith(WORDS);

/** A request without cookies: what is kept names nobody who was signed in. */
const asStranger = (address) => new Request(address, { credentials: "omit", cache: "reload" });

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll([OFFLINE, ...SHELL].map(asStranger))));
});

self.addEventListener("activate", (event) => event.waitUntil(forget()));

self.addEventListener("message", (event) => event.waitUntil(keep(event.data.keep ?? [], event.data.language ?? "en")));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => kept(request, OFFLINE)));
  else if (isFixed(url.pathname)) event.respondWith(fixed(request));
  else if (READ.test(url.pathname)) event.respondWith(fetch(request).catch(() => kept(request)));
});

/** Drops what belonged to other versions. */
async function forget() {
  for (const name of await caches.keys()) if (name.startsWith("crapette-") && name !== NAME) await caches.delete(name);
}

/** What is kept for a request, or else for another address; an error if there is nothing. */
async function kept(request, otherwise) {
  const cache = await caches.open(NAME);
  const found = await cache.match(request, { ignoreVary: true });
  return found ?? (otherwise && (await cache.match(otherwise, { ignoreVary: true }))) ?? Response.error();
}

/** A file that never changes: what is kept, or else from the network. */
async function fixed(request) {
  const found = await kept(request);
  return found.ok ? found : fetch(request);
}

/** One answer for each address, in the language in which it was read last. */
async function put(cache, address, answer) {
  await cache.delete(address, { ignoreVary: true });
  await cache.put(address, answer);
}

/** Keeps what is at these addresses, and the page in place of one that is not there, in the language of the reader. */
async function keep(addresses, language) {
  const cache = await caches.open(NAME);
  const inLanguage = { credentials: "omit", headers: { "Accept-Language": language } };
  const there = await cache.match(OFFLINE, { ignoreVary: true });
  if (there && there.headers.get("Content-Language") !== language) {
    const answer = await fetch(OFFLINE, inLanguage).catch(() => null);
    if (answer?.status === 200) await put(cache, OFFLINE, answer);
  }
  for (const address of addresses) {
    const { origin, pathname, search } = new URL(address, location.origin);
    const unchanging = isFixed(pathname);
    if (origin !== location.origin || search || !(unchanging || READ.test(pathname))) continue;
    if (unchanging && (await cache.match(pathname))) continue;
    // Without cookies: nothing that is somebody's own can get in.
    const answer = await fetch(pathname, inLanguage).catch(() => null);
    const closed = /private/.test(answer?.headers.get("Cache-Control") ?? "");
    if (answer?.status === 200 && !answer.redirected && !closed) await put(cache, pathname, answer);
  }
  const pages = (await cache.keys()).filter(({ url }) => READ.test(new URL(url).pathname));
  for (const old of pages.slice(0, Math.max(0, pages.length - MOST))) await cache.delete(old);
}
