/** Requests to the server for JSON. A refusal becomes an Error whose message is for people. */

import { refusedWords } from "arena/words";

/**
 * Sends a body as JSON.
 * @param {string} address
 * @param {object} body
 * @param {{token: string, keepalive?: boolean}} options `token` is Django's against forged requests; with `keepalive` the
 *   request outlives the page
 */
export function post(address, body, { token, keepalive = false }) {
  return fetch(address, {
    method: "POST",
    keepalive,
    headers: { "Content-Type": "application/json", "X-CSRFToken": token, Accept: "application/json" },
    body: JSON.stringify(body),
  });
}

/**
 * What a response says. Throws the server's own sentence if it refused, or else its status.
 * @param {Response} response
 */
export async function jsonOf(response) {
  if (response.ok) return response.json();
  const said = await response.json().catch(() => ({}));
  throw new Error(refusedWords(said, response.status));
}
