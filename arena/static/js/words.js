/**
 * What scripts say, in the language of the page. A script of the server (`arena.web.i18n.scripts`) brings the
 * translations before any module runs; without it, and in English, texts stay as they are in the code.
 */

/** @typedef {Record<string, string | number>} Values for the `{names}` in a text */

/** @type {Record<string, string | string[]>} */
const words = /** @type {any} */ (globalThis).words ?? {};

/**
 * What the referee says of how a game ended, and its parts: each as it is said in English and in the language of the
 * page, with places such as `%(seat)s` (`arena.web.i18n.reasons`). Empty in English.
 * @type {[string, string][]}
 */
export const details = /** @type {any} */ (words["\u0004details"] ?? []);

/** The language of the page, for numbers and dates. */
export const language = globalThis.document?.documentElement.lang || "en";

const plurals = new Map();

/** @param {string} text @param {Values} [values] */
function filled(text, values) {
  return values ? text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole)) : text;
}

/**
 * A text in the language of the page.
 * @param {string} text
 * @param {Values} [values]
 */
export function gettext(text, values) {
  return filled(/** @type {string} */ (words[text] ?? text), values);
}

/**
 * The same of a word that means different things in different contexts.
 * @param {string} context
 * @param {string} text
 * @param {Values} [values]
 */
export function pgettext(context, text, values) {
  return filled(/** @type {string} */ (words[`${context}\u0004${text}`] ?? text), values);
}

/**
 * A text with a number in it, as `{count}`.
 * @param {string} one
 * @param {string} more
 * @param {number} count
 * @param {Values} [values]
 */
export function ngettext(one, more, count, values) {
  const forms = words[one];
  if (!forms) return filled(count === 1 ? one : more, { count, ...values });
  if (!plurals.has(language)) plurals.set(language, new Intl.PluralRules(language));
  return filled(forms[plurals.get(language).select(count) === "one" ? 0 : 1], { count, ...values });
}

/**
 * Words with who or what they are about before them: "Greedy: 7♣ house 2 → foundation". French has a space before the colon.
 * @param {string} name
 * @param {string} words
 */
export function labelled(name, words) {
  return gettext("{name}: {words}", { name, words });
}

/**
 * Why a server refused: its own sentence, or else the number it answered with.
 * @param {{error?: {message?: string}}} said
 * @param {number} status
 */
export function refusedWords(said, status) {
  return said.error?.message ?? gettext("The server answered {status}.", { status });
}

/** A number with so many digits after the point. */
export function decimal(value, digits = 1) {
  const text = value.toFixed(digits);
  return language === "en" ? text : text.replace(".", ",");
}
