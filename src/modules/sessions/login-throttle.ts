import type { Throttles } from '#modules/throttles';

type Deps = { throttles: Throttles };

const HOUR_S = 3600;
const name = 'logins';
const delays = { firstS: 30, maxS: 900 };

/** Of one PayTag at one partner. */
const ofPair = { name, points: 5, windowS: 24 * HOUR_S, delays };
/** Of one PayTag at all partners where its owner never proved herself. */
const ofStrangers = { name, points: 20, windowS: 24 * HOUR_S, delays };
/** Of PayTags that nobody has, at one partner. */
const ofNobody = { name, points: 100, windowS: HOUR_S, delays: { firstS: 1, maxS: 60 } };

/** Somebody asks to be let in. */
export interface Attempt {
  partnerId: string;
  /** The handle, or what was given for one. */
  paytag: string;
  /** Somebody has this PayTag. */
  isKnown: boolean;
  /** She has proved herself at this partner before. */
  isAcquainted: boolean;
}

const pairKey = ({ partnerId, paytag }: Pick<Attempt, 'partnerId' | 'paytag'>) =>
  `pair:${JSON.stringify([partnerId, paytag])}`;

/** Lets a customer in again at a partner where she has proved herself otherwise. */
export const forgetFailedLogins = ({ throttles }: Deps, pair: Pick<Attempt, 'partnerId' | 'paytag'>): Promise<void> =>
  throttles.reset(ofPair, pairKey(pair));

/**
 * Slows whoever guesses passwords. Each PayTag has a count at each partner, so that no partner can lock out another's
 * customer; where she never proved herself, a count of all such partners slows too, and so does the partner's count of
 * PayTags that nobody has. What is refused never depends on whether somebody has the PayTag.
 */
export function loginThrottle({ throttles }: Deps, { partnerId, paytag, isKnown, isAcquainted }: Attempt) {
  const pair = pairKey({ partnerId, paytag });
  const strangers = `paytag:${paytag}`;
  const partner = `partner:${partnerId}`;
  return {
    /** Refuses at once what could not be let in anyway. @throws DomainError TOO_MANY_REQUESTS */
    async assertOpen(): Promise<void> {
      await throttles.assertOpen(ofPair, pair);
      if (isAcquainted) return;
      await throttles.assertOpen(ofStrangers, strangers);
      await throttles.assertOpen(ofNobody, partner);
    },
    /**
     * Counts a guess before it is looked at: of many at once no more are looked at than the limit lets through.
     *
     * @throws DomainError TOO_MANY_REQUESTS
     */
    async begin(): Promise<void> {
      await throttles.take(ofPair, pair);
      if (isAcquainted) return;
      await throttles.take(ofStrangers, strangers);
      if (isKnown) await throttles.assertOpen(ofNobody, partner);
      else await throttles.take(ofNobody, partner);
    },
    /** It was the right password: what came before is forgotten. */
    async succeeded(): Promise<void> {
      await throttles.reset(ofPair, pair);
      if (!isAcquainted) await throttles.reset(ofStrangers, strangers);
    },
  };
}
