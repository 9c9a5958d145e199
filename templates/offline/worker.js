/*
 * Shows a page of the site in place of one that cannot be reached. Nothing else is kept.
 */
"use strict";

const NAME = "crapette-3-{{ version }}";
const OFFLINE = "{{ offline }}";
const SHELL = {{ shell|safe }};

/** A request without cookies: what is kept names nobody who was signed in. */
const asStranger = (address) => new Request(address, { credentials: "omit", cache: "reload" });

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll([OFFLINE, ...SHELL].map(asStranger))));
});

self.addEventListener("activate", (event) => event.waitUntil(forget()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => kept(OFFLINE)));
  else if (SHELL.includes(pathname)) event.respondWith(fetch(request).catch(() => kept(pathname)));
});

/** Drops what belonged to other versions. */
async function forget() {
  for (const name of await caches.keys()) if (name.startsWith("crapette-") && name !== NAME) await caches.delete(name);
}

/** What is kept for an address; an error if there is nothing. */
async function kept(address) {
  const cache = await caches.open(NAME);
  return (await cache.match(address, { ignoreVary: true })) ?? Response.error();
}
