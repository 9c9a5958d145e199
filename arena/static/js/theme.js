/* Sets the chosen theme before anything is painted: a plain script in the head, on purpose. */
(function () {
  "use strict";
  try {
    var chosen = localStorage.getItem("theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    /* Storage may be forbidden; the system's setting then decides. */
  }
})();
