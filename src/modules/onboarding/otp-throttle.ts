import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Throttles } from '#modules/throttles';
import { throttleSubject } from './creation.ts';
import type { CreationRow } from './store.ts';

type Deps = { throttles: Throttles; keyring: Keyring };

const HOUR_S = 3600;
/** In all sessions of one person at one partner; in all her sessions anywhere, so that no partner uses it up alone. */
const SENDS = { atPartner: 10, anywhere: 30 };
const GUESSES = { atPartner: 10, anywhere: 30 };

/** Holds the codes of a session's person to limits that starting another session does not lift. */
export const otpThrottle = (deps: Deps, row: CreationRow) =>
  codeThrottle(deps, { askedBy: row.partnerId, person: throttleSubject(deps.keyring, row) });

/**
 * Holds a person's codes to limits, whatever they are for.
 *
 * @param who.askedBy the partner or application on whose behalf they are sent
 * @param who.person `customer:` and her id; another prefix for people who are no customers
 */
export function codeThrottle({ throttles }: Pick<Deps, 'throttles'>, who: { askedBy: string; person: string }) {
  const { person } = who;
  const pair = JSON.stringify([who.askedBy, person]);
  const sends = (points: number) => ({ name: 'codes sent', points, windowS: HOUR_S });
  const guesses = (points: number) => ({ name: 'wrong codes', points, windowS: HOUR_S });
  return {
    /** @throws DomainError TOO_MANY_REQUESTS */
    async takeSend(): Promise<void> {
      await throttles.take(sends(SENDS.atPartner), pair);
      await throttles.take(sends(SENDS.anywhere), person);
    },
    /** The provider did not take it. */
    async giveSendBack(): Promise<void> {
      await throttles.giveBack(sends(SENDS.atPartner), pair);
      await throttles.giveBack(sends(SENDS.anywhere), person);
    },
    /** Before the code is looked at. @throws DomainError TOO_MANY_REQUESTS */
    async takeGuess(): Promise<void> {
      await throttles.take(guesses(GUESSES.atPartner), pair);
      await throttles.take(guesses(GUESSES.anywhere), person);
    },
    /** It was the right code. */
    async succeeded(): Promise<void> {
      await throttles.reset(guesses(GUESSES.atPartner), pair);
      await throttles.reset(guesses(GUESSES.anywhere), person);
    },
  };
}
