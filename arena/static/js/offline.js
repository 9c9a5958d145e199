/** Has the service worker (templates/offline/worker.js) keep this page with all that it has loaded. */

const PAUSE_MS = 1000;

/** @param {string} address of the worker */
export async function keepForOffline(address) {
  await navigator.serviceWorker.register(address);
  const { active } = await navigator.serviceWorker.ready;
  const waiting = new Set([location.pathname]);
  let due = false;
  const flush = () => {
    due = false;
    active?.postMessage({ keep: [...waiting], language: document.documentElement.lang });
    waiting.clear();
  };
  const observer = new PerformanceObserver((entries) => {
    for (const { name } of entries.getEntries()) waiting.add(name);
    if (!due) setTimeout(flush, PAUSE_MS);
    due = true;
  });
  observer.observe({ type: "resource", buffered: true });
}
