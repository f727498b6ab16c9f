/** A token is renewed when this part of its life is left, and no more than so many seconds. */
const RENEWED_BEFORE = { part: 0.1, s: 60 };

/**
 * Keeps an application's token, and gets a new one before it ends: one at a time, however many calls wait for it.
 *
 * @param {() => Promise<{ access_token: string, expires_in: number }>} getToken
 */
export function keepToken(getToken) {
  /** @type {{ token: string, until: number } | undefined} */
  let kept;
  /** @type {Promise<string> | undefined} */
  let coming;

  async function renew() {
    const { access_token: token, expires_in: lifeS } = await getToken();
    const leftS = Math.min(RENEWED_BEFORE.s, lifeS * RENEWED_BEFORE.part);
    kept = { token, until: performance.now() + (lifeS - leftS) * 1000 };
    return token;
  }

  return {
    /** @returns {Promise<string>} */
    async get() {
      if (kept !== undefined && performance.now() < kept.until) return kept.token;
      coming ??= renew().finally(() => {
        coming = undefined;
      });
      return coming;
    },
    /**
     * Lets go of a token that the server does not take any more.
     *
     * @param {string} token
     */
    drop(token) {
      if (kept?.token === token) kept = undefined;
    },
  };
}
