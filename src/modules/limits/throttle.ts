import type { Count, Throttles } from './create-throttles.ts';
import type { Limit } from './limit.ts';

const event = 'otp_throttled';
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
const MONTH_S = 30 * DAY_S;

/** What all strangers of a kind together have, as many times what one of them has. */
const STRANGERS = 3;
/** Codes sent, and codes guessed, for one person by one requester. */
const PER_H = 10;
/** Past a day's number: an hour, two, four, … a day between one and the next, until the right code or a month without any. */
const growing = { windowS: MONTH_S, delays: { firstS: HOUR_S, maxS: DAY_S } };

/** How many codes there may be; 0: any number. */
export interface CodeLimits {
  /** Sent to one person by one requester. */
  codesPerD: number;
  /** Guessed wrong of one person at one requester, before the delays grow. */
  wrongCodesPerD: number;
  /** Sent by one requester to all. */
  messagesPerD: number;
}

type Deps = { throttles: Throttles; limits: CodeLimits };

/** Whose codes are counted. */
export interface CodeSubject {
  /** The partner or application on whose behalf they are sent. */
  requesterId: string;
  /**
   * What the requester is to the person. Strangers of one kind share a count, beside their own: `partner`, where the person
   * never proved who they are, and `application`, which anybody may register. A partner that is `known` has its own count
   * alone: no stranger keeps a person from their bank.
   */
  requester: 'known' | 'partner' | 'application';
  /** `customer:` and the customer's id; another prefix for people who are no customers. */
  person: string;
  /** The codes go to an address that nobody has proven to be the person's: whoever has it is a stranger to the requester. */
  isToNewAddress?: boolean;
}

/** Bounds how many codes are sent. */
export interface SendThrottle {
  /** Before a send to this address. @throws DomainError TOO_MANY_REQUESTS */
  takeSend(to: string | undefined): Promise<void>;
  /** Nothing was sent. */
  giveSendBack(to: string | undefined): Promise<void>;
}

/** Bounds how many codes are guessed. */
export interface GuessThrottle {
  /** Before a code is looked at. @throws DomainError TOO_MANY_REQUESTS */
  takeGuess(): Promise<void>;
  /** It was the right code: the wrong ones before it are forgotten. */
  succeeded(): Promise<void>;
}

/**
 * Holds the codes by which a person proves who they are to limits, whatever each code is for: so many in an hour and in a
 * day, and past a day's number, also of many days together, one after a delay that grows from an hour to a day. There is
 * always a next one: nobody is locked out for good, and whoever goes on for weeks has one guess a day.
 */
export function codeThrottle({ throttles, limits }: Deps, subject: CodeSubject): SendThrottle & GuessThrottle {
  const { codesPerD, wrongCodesPerD } = limits;
  const sends = { name: 'codes sent', event } as const;
  const guesses = { name: 'wrong codes', event } as const;
  const hour = { points: PER_H, windowS: HOUR_S };
  const unproven = countsOf(subject, { ...sends, points: codesPerD, ...growing }, 'unproven');
  const sent = [
    ...countsOf(subject, { ...sends, ...hour }, 'hour'),
    ...countsOf(subject, { ...sends, points: codesPerD, windowS: DAY_S }, 'day'),
    ...unproven,
    messagesOf(limits, subject),
  ];
  const guessed = [
    ...countsOf(subject, { ...guesses, ...hour }, 'hour'),
    ...countsOf(subject, { ...guesses, points: wrongCodesPerD, ...growing }, 'wrong'),
  ];
  return {
    ...sendThrottle(throttles, (to) => [...sent, ...contactCounts(limits, subject, to)]),
    takeGuess: () => throttles.takeAll(guessed),
    async succeeded() {
      for (const [limit, key] of [...guessed, ...unproven]) await throttles.reset(limit, key);
    },
  };
}

/** Holds the codes that link a person's tag to limits, and so how often somebody can guess at one. */
export function linkingCodeThrottle({ throttles, limits }: Deps, person: Omit<CodeSubject, 'requester'>): SendThrottle {
  const subject = { ...person, requester: 'application' } as const;
  const sends = { name: 'linking codes', event } as const;
  const sent = [
    ...countsOf(subject, { ...sends, points: PER_H, windowS: DAY_S }, 'day'),
    ...countsOf(subject, { ...sends, points: 3 * PER_H, windowS: MONTH_S }, 'month'),
    messagesOf(limits, subject),
  ];
  return sendThrottle(throttles, (to) => [...sent, ...contactCounts(limits, subject, to)]);
}

const sendThrottle = (throttles: Throttles, countsTo: (to: string | undefined) => Count[]): SendThrottle => ({
  takeSend: (to) => throttles.takeAll(countsTo(to)),
  async giveSendBack(to) {
    for (const [limit, key] of countsTo(to)) await throttles.giveBack(limit, key);
  },
});

/** The count of the requester and, unless they know the person, that of all strangers of their kind. */
function countsOf({ requesterId, requester, person }: CodeSubject, limit: Limit, period: string): Count[] {
  const own: Count = [limit, JSON.stringify([period, requesterId, person])];
  if (requester === 'known') return [own];
  return [own, [{ ...limit, points: STRANGERS * limit.points }, JSON.stringify([period, requester, 'all', person])]];
}

/** What strangers send to one address, whoever the person is that they name. */
function contactCounts(
  { codesPerD }: CodeLimits,
  { requester, isToNewAddress = false }: CodeSubject,
  to: string | undefined,
): Count[] {
  if (to === undefined || (requester === 'known' && !isToNewAddress)) return [];
  const limit = { name: 'codes sent', event, points: STRANGERS * codesPerD, windowS: DAY_S } as const;
  return [[limit, JSON.stringify([requester === 'application' ? requester : 'partner', 'address', to])]];
}

const messagesOf = ({ messagesPerD }: CodeLimits, { requesterId }: CodeSubject): Count => [
  { name: 'messages for one day', event, points: messagesPerD, windowS: DAY_S },
  `requester:${requesterId}`,
];
