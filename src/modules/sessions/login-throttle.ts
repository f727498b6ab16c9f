import type { Count, Throttles } from '#modules/limits';

type Deps = { throttles: Throttles };

/** How often a customer may log in; 0: without limit. */
export interface LoginLimits {
  /** With one PayTag at one partner, right passwords included. */
  loginsPerM: number;
  /** With any PayTags at one partner. */
  failedLoginsPerH: number;
}

const HOUR_S = 3600;
const logins = { name: 'logins', event: 'login_throttled' } as const;
const delays = { firstS: 30, maxS: 900 };

/** Of one PayTag at one partner. */
const OF_PAIR = { ...logins, points: 5, windowS: 24 * HOUR_S, delays };
/** Of one PayTag at all partners where its owner never logged in. */
const OF_FIRST_LOGINS = { ...logins, points: 20, windowS: 24 * HOUR_S, delays };
/** Of PayTags that do not exist, at one partner. */
const OF_UNKNOWN = { ...logins, points: 100, windowS: HOUR_S, delays: { firstS: 1, maxS: 60 } };

/** Of one PayTag on all approval pages. */
const OF_PAGES = { ...logins, points: 5, windowS: 24 * HOUR_S, delays };

/** Of one PayTag whose owner has logged in there before, at a partner where too many logins failed. */
const OF_PAIR_WHILE_SPRAYED = { ...logins, points: 1, windowS: 24 * HOUR_S, delays: { firstS: 60, maxS: HOUR_S } };
/** Of all others there. */
const OF_STRANGERS_WHILE_SPRAYED = { ...logins, points: 1, windowS: HOUR_S, delays: { firstS: 1, maxS: 60 } };
/** Of right logins of one PayTag that make up for a failed one at the partner. */
const DAILY_CREDIT = { name: 'login credits', points: 1, windowS: 24 * HOUR_S, isUnlisted: true } as const;

/** An attempt to log in. */
export interface LoginAttempt {
  partnerId: string;
  /** The handle, or what was given for one. */
  paytag: string;
  /** The PayTag exists. */
  isKnown: boolean;
  /** Its owner has logged in at this partner before. */
  hasPriorLogin: boolean;
}

const pairKey = ({ partnerId, paytag }: Pick<LoginAttempt, 'partnerId' | 'paytag'>) =>
  `pair:${JSON.stringify([partnerId, paytag])}`;

/** Forgets the failed logins of a PayTag at a partner, where its owner has proved who they are by other means. */
export const forgetFailedLogins = (
  { throttles }: Deps,
  pair: Pick<LoginAttempt, 'partnerId' | 'paytag'>,
): Promise<void> => throttles.reset(OF_PAIR, pairKey(pair));

/**
 * Slows the guessing of a PayTag's password on approval pages. Any application can lead anybody there, so the pages have a
 * count of their own: nothing that happens on them slows a login at a partner.
 */
export function approvalPageThrottle({ throttles }: Deps, paytag: string) {
  const key = `pages:${paytag}`;
  return {
    /** Refuses immediately what would be refused in any case. @throws DomainError TOO_MANY_REQUESTS */
    assertOpen: () => throttles.assertOpen(OF_PAGES, key),
    /** Counts a guess before it is looked at. @throws DomainError TOO_MANY_REQUESTS */
    begin: () => throttles.take(OF_PAGES, key),
    /** It was the right password: what came before is forgotten. */
    succeeded: () => throttles.reset(OF_PAGES, key),
  };
}

/**
 * Slows the guessing of passwords. Each PayTag has a count at each partner, so that no partner can lock out another's
 * customer; where its owner never logged in, a count of all such partners slows too, and so does the partner's count of
 * PayTags that do not exist. Guesses spread over many PayTags are seen by the partner's count of failed logins: once that is
 * used up, strangers get in one by one, and a PayTag whose owner has logged in there before has one guess, where it had
 * five. What is refused never depends on whether the PayTag exists.
 */
export function loginThrottle(
  { throttles, limits }: Deps & { limits: LoginLimits },
  { partnerId, paytag, isKnown, hasPriorLogin }: LoginAttempt,
) {
  const pair = pairKey({ partnerId, paytag });
  const partner = `partner:${partnerId}`;
  const every: Count = [{ ...logins, points: limits.loginsPerM, windowS: 60 }, `every ${pair}`];
  const failures: Count = [{ ...logins, points: limits.failedLoginsPerH, windowS: HOUR_S }, `failed ${partner}`];
  const credit: Count = [DAILY_CREDIT, `credit ${pair}`];
  const ofPair: Count = [OF_PAIR, pair];
  const ofFirstLogins: Count = [OF_FIRST_LOGINS, `paytag:${paytag}`];
  const ofUnknown: Count = [OF_UNKNOWN, partner];
  const whileSprayed: Count = hasPriorLogin
    ? [OF_PAIR_WHILE_SPRAYED, `sprayed ${pair}`]
    : [OF_STRANGERS_WHILE_SPRAYED, `sprayed ${partner}`];
  const ofStrangers: Count[] = [ofFirstLogins, ofUnknown];
  let isSprayed = false;

  return {
    /** Refuses immediately what would be refused in any case. @throws DomainError TOO_MANY_REQUESTS */
    async assertOpen(): Promise<void> {
      const open = throttles.assertAllOpen([every, ofPair, ...(hasPriorLogin ? [] : ofStrangers)]);
      const [isCalm] = await Promise.all([throttles.isOpen(...failures), open]);
      if (!isCalm) await throttles.assertOpen(...whileSprayed);
    },
    /**
     * Counts a guess before it is checked: of many at the same time no more are checked than the limit lets through.
     *
     * @throws DomainError TOO_MANY_REQUESTS
     */
    async begin(): Promise<void> {
      const [isCalm] = await Promise.all([
        throttles.isOpen(...failures),
        !hasPriorLogin && isKnown ? throttles.assertOpen(...ofUnknown) : undefined,
      ]);
      isSprayed = !isCalm;
      await throttles.takeAll([
        every,
        ofPair,
        ...(hasPriorLogin ? [] : [ofFirstLogins]),
        ...(isKnown ? [] : [ofUnknown]),
        ...(isSprayed ? [whileSprayed] : []),
      ]);
    },
    /** It was the right password: what came before is forgotten. */
    async succeeded(): Promise<void> {
      await Promise.all([throttles.reset(...ofPair), hasPriorLogin ? undefined : throttles.reset(...ofFirstLogins)]);
      if (!isSprayed) return;
      await (hasPriorLogin ? throttles.reset(...whileSprayed) : throttles.giveBack(...whileSprayed));
    },
    /**
     * Counts a failed login of the partner, or makes up for one by a right login: that of each PayTag once a day. So many
     * customers who mistype now and then close nothing, and one account of a guesser's own opens nothing.
     */
    async ended(isRight: boolean): Promise<void> {
      if (isRight && !(await throttles.isOpen(...credit))) return; // as for most who log in more than once a day
      const isCounted = await throttles.take(...(isRight ? credit : failures)).then(
        () => true,
        () => false, // it is used up: there is nothing more to count
      );
      if (isRight && isCounted) await throttles.giveBack(...failures);
    },
  };
}
