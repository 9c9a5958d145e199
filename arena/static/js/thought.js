/**
 * Answers that take thought. The server answers at once if it can; while an analysis process is still at work it
 * answers 202, and the page asks the same again. Whoever stops asking is not thought for any more.
 */

/** The pauses between two requests grow up to the last one. */
const PAUSES_MS = [40, 60, 100, 150, 250, 400, 700];
const SLOW_MS = 400;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * @param {() => Promise<Response>} ask sends the request
 * @param {{wanted?: () => boolean, slow?: () => void}} options `wanted` says whether the page still wants the
 *   answer, `slow` is called once if it takes long enough to say so
 * @returns {Promise<Response | null>} the final response, whatever its status; null once it is not wanted
 */
export async function answered(ask, { wanted = () => true, slow = () => {} } = {}) {
  const timer = setTimeout(slow, SLOW_MS);
  try {
    for (let asked = 0; wanted(); asked += 1) {
      const response = await ask();
      if (response.status !== 202) return wanted() ? response : null;
      await pause(PAUSES_MS[asked] ?? PAUSES_MS.at(-1));
    }
    return null;
  } finally {
    clearTimeout(timer);
  }
}
