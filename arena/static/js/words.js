/**
 * What scripts say, in the language of the page. Its catalogue is a script of the server (`arena.common.scripts`),
 * which runs before all modules; without it, and in English, texts stay as they are in the code.
 */

/** @type {{gettext?: (text: string) => string, ngettext?: (one: string, more: string, count: number) => string, pgettext?: (context: string, text: string) => string}} */
const catalogue = /** @type {any} */ (globalThis).django ?? {};

/** @param {string} text */
export const gettext = (text) => catalogue.gettext?.(text) ?? text;

/** @param {string} one @param {string} more @param {number} count */
export const ngettext = (one, more, count) => catalogue.ngettext?.(one, more, count) ?? (count === 1 ? one : more);

/** @param {string} context @param {string} text */
export const pgettext = (context, text) => catalogue.pgettext?.(context, text) ?? text;

/**
 * A text with its `{names}` filled in.
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));

/** The language of the page, for numbers and dates. */
export const language = document.documentElement.lang || "en";

/** @param {number} value @param {number} [digits] after the point */
export const decimal = (value, digits = 1) =>
  value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });
