/** The documentation: buttons that copy a block of code, and the section that is being read, marked in the list. */

import { copyText } from "arena/clipboard";
import { gettext } from "arena/words";

const places = [".markdown", ".docs", "main > .panel", ".prose"];
/** @type {NodeListOf<HTMLElement>} */
const blocks = document.querySelectorAll(places.map((place) => `${place} pre`).join());
for (const block of blocks) {
  const box = document.createElement("div");
  box.className = "code";
  block.replaceWith(box);
  const button = document.createElement("button");
  button.type = "button";
  button.className = "code__copy";
  const label = document.createElement("span");
  label.setAttribute("aria-live", "polite");
  label.textContent = gettext("Copy");
  button.append(label);
  button.addEventListener("click", () => copyText(block.textContent.trimEnd(), label));
  box.append(block, button);
}

const links = [.../** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".docpage__side a"))];
const headings = links.map((link) => document.getElementById(link.hash.slice(1)));

function follow() {
  const read = headings.findLastIndex((heading) => heading?.getBoundingClientRect().top < window.innerHeight / 3);
  for (const [place, link] of links.entries()) {
    if (place !== read) link.removeAttribute("aria-current");
    else if (!link.hasAttribute("aria-current")) {
      link.setAttribute("aria-current", "true");
      link.parentElement.parentElement.parentElement.scrollTop = link.offsetTop - 120;
    }
  }
}

if (links.length) {
  document.addEventListener("scroll", follow, { passive: true });
  follow();
}
