import type { Throttles } from '#modules/throttles';

const event = 'otp_throttled';
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

/** For one person: by one requester, and by all of them together, so that none uses them up alone. */
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
export const linkingCodeThrottle = (deps: { throttles: Throttles }, subject: CodeSubject): SendThrottle =>
  sendThrottle(deps, subject, LINKING_SENDS);

function sendThrottle(deps: { throttles: Throttles }, subject: CodeSubject, limits: Limits): SendThrottle {
  const { throttles, ofRequester, ofPerson } = counted(deps, subject, limits);
  return {
    async takeSend() {
      await throttles.take(...ofRequester);
      await throttles.take(...ofPerson);
    },
    async giveSendBack() {
      await throttles.giveBack(...ofRequester);
      await throttles.giveBack(...ofPerson);
    },
  };
}

function guessThrottle(deps: { throttles: Throttles }, subject: CodeSubject, limits: Limits): GuessThrottle {
  const { throttles, ofRequester, ofPerson } = counted(deps, subject, limits);
  return {
    async takeGuess() {
      await throttles.take(...ofRequester);
      await throttles.take(...ofPerson);
    },
    async succeeded() {
      await throttles.reset(...ofRequester);
      await throttles.reset(...ofPerson);
    },
  };
}

const counted = (
  { throttles }: { throttles: Throttles },
  { requesterId, person }: CodeSubject,
  { name, windowS, perRequester, perPerson }: Limits,
) => ({
  throttles,
  ofRequester: [{ name, event, windowS, points: perRequester }, JSON.stringify([requesterId, person])] as const,
  ofPerson: [{ name, event, windowS, points: perPerson }, person] as const,
});
