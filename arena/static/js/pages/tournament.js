/** A tournament's page renews its figures when the server says that they changed. */

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;

function follow(figures) {
  let wait = FIRST_WAIT;
  const renew = () => window.htmx?.trigger(figures, "changed");

  function connect() {
    const url = new URL(figures.dataset.tournament, location.href);
    url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    socket.onopen = () => {
      // Something may have changed between the page and the socket, or while it was lost.
      if (wait !== FIRST_WAIT || !over()) renew();
      wait = FIRST_WAIT;
    };
    socket.onmessage = () => {
      if (!document.hidden) renew();
      else missed = true;
    };
    socket.onclose = () => {
      if (over()) return;
      setTimeout(connect, wait);
      wait = Math.min(LONGEST_WAIT, wait * 2);
    };
  }

  const over = () => ["finished", "cancelled"].includes(figures.querySelector("[data-status]")?.dataset.status);
  let missed = false;
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && missed) {
      missed = false;
      renew();
    }
  });
  if (!over()) connect();
}

for (const figures of document.querySelectorAll("[data-tournament]")) follow(figures);
