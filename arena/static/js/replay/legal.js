/** The legal moves as buttons, in the language of the page. */

import { sourcePile, targetPiles } from "arena/replay/moves";
import { moveWords } from "arena/replay/words";
import { gettext } from "arena/words";

/** A move that the seat to move may make, in words: "7♣ house 2 → foundation". */
export function legalWords(move, table, names) {
  const seat = table.turn;
  if (move === "pass") return gettext("pass");
  if (move === "draw") return table.pile(`h${seat}`).length ? gettext("draw a card") : gettext("turn the discard over and draw");
  const from = sourcePile(move, seat);
  const card = table.cards[table.top(from)]?.face ?? "";
  const [to] = targetPiles(move, seat, card[1]);
  const empty = to[0] === "t" && !table.pile(to).length;
  const words = moveWords({ seat, move, card, from, to }, names);
  return empty ? gettext("{move} (empty)", { move: words }) : words;
}

/** A button for each legal move, which says the move in its data. */
export function legalButtons(legal, table, names) {
  return legal.map(({ move, win }) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn btn--small";
    button.dataset.move = move;
    button.textContent = legalWords(move, table, names);
    if (win !== undefined) {
      const chance = document.createElement("small");
      chance.textContent = `${Math.round(100 * win)} %`;
      chance.title = gettext("Chance to win");
      button.append(" ", chance);
    }
    return button;
  });
}
