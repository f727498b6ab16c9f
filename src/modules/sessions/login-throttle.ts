import type { Throttles } from '#modules/throttles';

type Deps = { throttles: Throttles };

/** How often somebody may log in; 0: as often as they like. */
export interface LoginLimits {
  /** With one PayTag at one partner, right passwords included. */
  loginsPerM: number;
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

/** Somebody tries to log in. */
export interface LoginAttempt {
  partnerId: string;
  /** The handle, or what was given for one. */
  paytag: string;
  /** Somebody has this PayTag. */
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
 * Slows whoever guesses a PayTag's password on approval pages. Any application can lead anybody there, so the pages have a
 * count of their own: nothing that happens on them slows a login at a partner.
 */
export function approvalPageThrottle({ throttles }: Deps, paytag: string) {
  const key = `pages:${paytag}`;
  return {
    /** Refuses at once what would be refused in any case. @throws DomainError TOO_MANY_REQUESTS */
    assertOpen: () => throttles.assertOpen(OF_PAGES, key),
    /** Counts a guess before it is looked at. @throws DomainError TOO_MANY_REQUESTS */
    begin: () => throttles.take(OF_PAGES, key),
    /** It was the right password: what came before is forgotten. */
    succeeded: () => throttles.reset(OF_PAGES, key),
  };
}

/**
 * Slows whoever guesses passwords. Each PayTag has a count at each partner, so that no partner can lock out another's
 * customer; where its owner never logged in, a count of all such partners slows too, and so does the partner's count of
 * PayTags that do not exist. What is refused never depends on whether somebody has the PayTag.
 */
export function loginThrottle(
  { throttles, limits }: Deps & { limits: LoginLimits },
  { partnerId, paytag, isKnown, hasPriorLogin }: LoginAttempt,
) {
  const pair = pairKey({ partnerId, paytag });
  const loginsOfPair = { ...logins, points: limits.loginsPerM, windowS: 60 };
  const everyLogin = `every ${pair}`;
  const firstLogins = `paytag:${paytag}`;
  const partner = `partner:${partnerId}`;
  return {
    /** Refuses at once what would be refused in any case. @throws DomainError TOO_MANY_REQUESTS */
    async assertOpen(): Promise<void> {
      await throttles.assertOpen(OF_PAIR, pair);
      await throttles.assertOpen(loginsOfPair, everyLogin);
      if (hasPriorLogin) return;
      await throttles.assertOpen(OF_FIRST_LOGINS, firstLogins);
      await throttles.assertOpen(OF_UNKNOWN, partner);
    },
    /**
     * Counts a guess before it is looked at: of many at once no more are looked at than the limit lets through.
     *
     * @throws DomainError TOO_MANY_REQUESTS
     */
    async begin(): Promise<void> {
      await throttles.take(loginsOfPair, everyLogin);
      await throttles.take(OF_PAIR, pair);
      if (hasPriorLogin) return;
      await throttles.take(OF_FIRST_LOGINS, firstLogins);
      if (isKnown) await throttles.assertOpen(OF_UNKNOWN, partner);
      else await throttles.take(OF_UNKNOWN, partner);
    },
    /** It was the right password: what came before is forgotten. */
    async succeeded(): Promise<void> {
      await throttles.reset(OF_PAIR, pair);
      if (!hasPriorLogin) await throttles.reset(OF_FIRST_LOGINS, firstLogins);
    },
  };
}
