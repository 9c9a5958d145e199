/** The page without a connection: lists the pages that can be read all the same. */

const list = document.querySelector("[data-kept]");
const OURS = "crapette-";

for (const name of await caches.keys()) {
  if (!name.startsWith(OURS)) continue;
  const cache = await caches.open(name);
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    if (!/^\/(rules|glossary|games)\/.*/.test(pathname) || !pathname.endsWith("/")) continue;
    const answer = await cache.match(request, { ignoreVary: true });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const link = document.createElement("a");
    link.href = pathname;
    link.textContent = page.title.replace(" · Crapette Arena", "");
    const line = document.createElement("li");
    line.append(link);
    list.append(line);
    document.querySelector("[data-nothing]").setAttribute("hidden", "");
  }
}
