/** Buttons, sheets and choices of a viewer. */

import { remember, remembered } from "arena/choices";
import { bindLooks } from "arena/replay/looks";
import { drawLegend } from "arena/replay/marks";
import { bindPassage } from "arena/replay/passage";
import { drawn, openSoon } from "arena/soon";
import { mark } from "arena/replay/writing";
import { gettext, pgettext } from "arena/words";

/** @param {import("arena/replay/page").ReplayPage} page */
export function bindControls(page) {
  const { root, transport, view } = page;
  const find = (selector) => root.querySelector(selector);
  const sheet = (name) => find(`[data-sheet="${name}"]`);

  let toasting;
  function toast(words) {
    const node = find("[data-toast]");
    node.textContent = words;
    node.hidden = false;
    clearTimeout(toasting);
    toasting = setTimeout(() => {
      node.hidden = true;
    }, 2600);
  }

  async function copy(text, words) {
    try {
      await navigator.clipboard.writeText(text);
      toast(words);
    } catch {
      toast(gettext("Your browser did not allow copying. Select the text and copy it yourself."));
    }
  }

  function link() {
    const ply = page.timeline.at(transport.count).ply;
    return new URL(`#${ply}`, new URL(root.dataset.page ?? location.pathname, location.href)).href;
  }

  /** This game as a frame for another site's page. */
  const frameWords = () => {
    const frame = document.createElement("iframe");
    Object.assign(frame, { src: new URL(root.dataset.embed, location.href).href, title: page.names.join(" – "), width: "100%", height: "560", loading: "lazy" });
    frame.style.border = "0";
    return frame.outerHTML;
  };

  const line = () => transport.table.line({ known: !page.timeline.result });

  async function picture(type) {
    const name = `crapette-${page.timeline.at(transport.count).ply}.${type}`;
    try {
      const { download, pictureOf } = await import("arena/replay/picture");
      download(await pictureOf(view, page.names, type), name);
    } catch (error) {
      toast(`${gettext("The picture could not be made.")} ${error.message}`);
    }
  }

  /** Shows what a sight shows, or what lies open if it was on. */
  function look(sight) {
    view.setSight(view.sight === sight ? "open" : sight);
    for (const [name, one] of [["hidden", "all"], ["known", "known"]]) {
      find(`[data-do="${name}"]`)?.setAttribute("aria-pressed", view.sight === one);
    }
  }

  const actions = {
    start: () => transport.toStart(),
    prevturn: () => transport.previousTurn(),
    prev: () => transport.step(-1),
    play: () => transport.toggle(),
    next: () => transport.step(1),
    nextturn: () => transport.nextTurn(),
    end: () => transport.toEnd(),
    moment: () => transport.nextMoment(),
    flip: async () => {
      page.arrows.clear();
      await drawn();
      view.flip();
    },
    hidden: () => look("all"),
    known: () => {
      look("known");
      if (view.sight === "known") page.tabs?.choose("unseen");
    },
    more: () => {
      const open = find(".controls").classList.toggle("is-open");
      find("[data-do=more]").setAttribute("aria-expanded", String(open));
    },
    full: () => root.classList.toggle("is-full"),
    passage: () => {
      sheet("share").close();
      openPassage?.();
    },
    share: () => {
      find("[data-line]").textContent = line();
      const frame = find("[data-frame]");
      if (frame) frame.value = frameWords();
      openSoon(sheet("share"));
    },
    copyframe: () => copy(find("[data-frame]").value, gettext("HTML copied.")),
    result: () => page.toggleResult(),
    why: () => page.why(),
    try: () => page.tryIt(),
    explore: () => (page.explorer ? page.explorer.toggle() : toast(page.timeline.head.inTicks ? gettext("You can’t play on from a game in ticks.") : gettext("You can play on from here once the game is over."))),
    settings: () => openSoon(sheet("settings")),
    help: async () => {
      const paint = drawLegend(find("[data-legend]"));
      await openSoon(sheet("help"));
      await drawn();
      paint();
    },
    copylink: () => copy(link(), gettext("Link to this ply copied.")),
    copyline: () => copy(line(), gettext("Position copied.")),
    svg: () => picture("svg"),
    png: () => picture("png"),
  };
  const openPassage = page.compact ? null : bindPassage(page);
  if (openPassage) find("[data-passage-link]").hidden = false;
  root.addEventListener("click", (/** @type {MouseEvent & {target: Element}} */ event) => {
    /** @type {HTMLElement} */
    const button = event.target.closest("[data-do]");
    if (button) actions[button.dataset.do]();
  });

  const speed = find("[data-speed]");
  transport.speed = Number(remembered("replay-speed", 4)) || 4;
  speed.addEventListener("input", () => transport.setSpeed(Number(speed.value)));

  bindLooks(root, view);

  const play = find('[data-do="play"]');
  const icons = { play: play.querySelector('[data-icon="play"]'), pause: play.querySelector('[data-icon="pause"]') };
  const back = ["start", "prevturn", "prev"].map((name) => find(`[data-do="${name}"]`)).filter(Boolean);

  let kept;
  function state() {
    mark(play, "aria-label", transport.playing ? gettext("Pause") : pgettext("a replay", "Play"));
    icons.play.hidden = transport.playing;
    icons.pause.hidden = !transport.playing;
    if (Number(speed.value) !== transport.speed) {
      speed.value = transport.speed;
    }
    if (kept !== transport.speed) remember("replay-speed", String((kept = transport.speed)));
    for (const button of back) mark(button, "aria-disabled", transport.count === 0);
  }

  return { ...actions, state, toast };
}
