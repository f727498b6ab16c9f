import type { Throttles } from '#modules/throttles';

const event = 'otp_throttled';
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

/** For one person: by one requester, and by all strangers of a kind together, so that none uses them up alone. */
interface Limits {
  /** What is counted, in the plural: a refusal says it. */
  name: string;
  windowS: number;
  perRequester: number;
  perPerson: number;
}

const SENDS: Limits = { name: 'codes sent', windowS: HOUR_S, perRequester: 10, perPerson: 30 };
const GUESSES: Limits = { name: 'wrong codes', windowS: HOUR_S, perRequester: 10, perPerson: 30 };
const LINKING_SENDS: Limits = { name: 'linking codes', windowS: DAY_S, perRequester: 10, perPerson: 30 };

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
}

/** Bounds how many codes are sent. */
export interface SendThrottle {
  /** Before a send. @throws DomainError TOO_MANY_REQUESTS */
  takeSend(): Promise<void>;
  /** Nothing was sent. */
  giveSendBack(): Promise<void>;
}

/** Bounds how many codes are guessed. */
export interface GuessThrottle {
  /** Before a code is looked at. @throws DomainError TOO_MANY_REQUESTS */
  takeGuess(): Promise<void>;
  /** It was the right code: the wrong ones before it are forgotten. */
  succeeded(): Promise<void>;
}

/** Holds the codes by which a person proves who they are to limits, whatever each code is for. */
export const codeThrottle = (deps: { throttles: Throttles }, subject: CodeSubject): SendThrottle & GuessThrottle => ({
  ...sendThrottle(deps, subject, SENDS),
  ...guessThrottle(deps, subject, GUESSES),
});

/** Holds the codes that link a person's tag to limits, and so how often somebody can guess at one. */
export const linkingCodeThrottle = (
  deps: { throttles: Throttles },
  subject: Omit<CodeSubject, 'requester'>,
): SendThrottle => sendThrottle(deps, { ...subject, requester: 'application' }, LINKING_SENDS);

function sendThrottle({ throttles }: { throttles: Throttles }, subject: CodeSubject, limits: Limits): SendThrottle {
  const counted = countsOf(subject, limits);
  return {
    takeSend: () => takeAll(throttles, counted),
    async giveSendBack() {
      for (const [limit, key] of counted) await throttles.giveBack(limit, key);
    },
  };
}

function guessThrottle({ throttles }: { throttles: Throttles }, subject: CodeSubject, limits: Limits): GuessThrottle {
  const counted = countsOf(subject, limits);
  return {
    takeGuess: () => takeAll(throttles, counted),
    async succeeded() {
      for (const [limit, key] of counted) await throttles.reset(limit, key);
    },
  };
}

/** A limit, and who is counted. */
type Count = Parameters<Throttles['take']>;

function countsOf(
  { requesterId, requester, person }: CodeSubject,
  { name, windowS, perRequester, perPerson }: Limits,
): Count[] {
  const own: Count = [{ name, event, windowS, points: perRequester }, JSON.stringify([requesterId, person])];
  if (requester === 'known') return [own];
  return [own, [{ name, event, windowS, points: perPerson }, JSON.stringify([requester, 'all', person])]];
}

/** Takes from every count or from none. */
async function takeAll(throttles: Throttles, counts: readonly Count[]): Promise<void> {
  const taken: Count[] = [];
  for (const count of counts) {
    try {
      await throttles.take(...count);
    } catch (refusal) {
      for (const [limit, key] of taken) await throttles.giveBack(limit, key);
      throw refusal;
    }
    taken.push(count);
  }
}
