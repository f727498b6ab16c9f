import { availableParallelism } from 'node:os';
import { DomainError } from '#lib/domain-error.ts';
import { lazy, lazyPackage } from '#lib/lazy.ts';
import { randomToken } from '#lib/random.ts';
import { letThreadsYield } from '#lib/runtime.ts';
import { createSemaphore, SemaphoreFull, type Share } from '#lib/semaphore.ts';

const passwordLists = lazyPackage<typeof import('@zxcvbn-ts/language-common')>('@zxcvbn-ts/language-common');

const LENGTH_MIN = 8;

const LENGTH_MAX = 128;

/** What guessers try first here, besides the names: our own name, and words of our trade and place. */
const WORDS_OF_OURS = ['paytag', 'wallet', 'naira', 'money', 'password', 'nigeria', 'lagos', 'abuja'];

/** A year or a PIN next to such words makes them no harder to guess. */
const EXTRA_DIGITS_MAX = 4;

/** Longer patterns are on no list of guesses. */
const PATTERN_LENGTH_MAX = 16;

const commonPasswords = lazy(() => {
  const { dictionary } = passwordLists();
  return new Set(dictionary['passwords-common']);
});

/** What a password must not be: the PayTag and the names of its owner. */
export interface PasswordOwner {
  tag: string;
  firstName: string;
  lastName: string;
  otherName?: string | undefined;
}

/**
 * 8 to 128 characters, not among the 49,000 most common ones that have leaked nor a pattern as common, and not made of its
 * owner's PayTag or names, or of words of ours.
 *
 * @throws DomainError WEAK_PASSWORD
 */
export function assertPasswordAllowed(password: string, owner: PasswordOwner): void {
  const length = Array.from(password).length;
  if (length < LENGTH_MIN || length > LENGTH_MAX) {
    throw weak(`password: must have ${LENGTH_MIN} to ${LENGTH_MAX} characters`);
  }
  if (password.trim() === '') throw weak('password: must not be only blanks');
  if (commonPasswords().has(password.toLowerCase())) throw weak('password: is one of the most common passwords');
  if (length <= PATTERN_LENGTH_MAX && isPattern(password.toLowerCase())) {
    throw weak('password: must not be one piece again and again, nor a run of neighbours');
  }
  if (isMadeOf(owner, password)) throw weak('password: must not be made of the PayTag, the names, or words of ours');
}

/** True for `12121212` and `abcdefgh`, which the list leaves out: guessers generate them. */
function isPattern(password: string): boolean {
  if (/^(.{1,4}?)\1+$/u.test(password)) return true;
  const points = Array.from(password, (character) => character.codePointAt(0) ?? 0);
  const steps = points.slice(1).map((point, before) => point - (points[before] ?? 0));
  return steps.every((step) => step === 1) || steps.every((step) => step === -1);
}

/** True for PayTag, names and words of ours, alone or one after the other, with few digits or whatever else stands between. */
function isMadeOf({ tag, firstName, lastName, otherName = '' }: PasswordOwner, password: string): boolean {
  const own = [tag, firstName, lastName, otherName, ...WORDS_OF_OURS].map(letters).filter((word) => word !== '');
  const given = letters(password);
  let rest = given;
  for (const word of own.toSorted((a, b) => b.length - a.length)) rest = rest.replaceAll(word, '');
  return rest !== given && rest.length <= EXTRA_DIGITS_MAX && /^\d*$/.test(rest);
}

/** Folded to its letters and digits. */
const letters = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

const weak = (message: string): DomainError => new DomainError('WEAK_PASSWORD', message);

const argon2 = lazyPackage<typeof import('@node-rs/argon2')>('@node-rs/argon2');

/** argon2id by default, at the OWASP minimum: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * A processor stays free for everything else. libuv has four threads for this and for whatever leaves the event loop: one of them
 * stays free as well.
 */
const runningMax = Math.max(1, Math.min(availableParallelism() - 1, 3));

/** Of one share, about a second of work: a request after that is better refused immediately. */
const waitingMax = 64;

/** Of all approval pages. */
const waitingWithinMax = 256;

/** One more than may hash has its turn, so that others hash while its guess is counted. */
const semaphore = createSemaphore({ runningMax: runningMax + 1, waitingMax, waitingWithinMax });

const hashingAtOnce = createSemaphore({ runningMax, waitingMax: 1 });

/** Off the event loop, on threads that give way to it. */
async function hashing<Result>(work: () => Promise<Result>): Promise<Result> {
  const hashed = await hashingAtOnce.run(work);
  letThreadsYield();
  return hashed;
}

/** What a partner's customers take turns in with those of other partners: logins, first passwords and resets alike. */
export const partnerShare = (partnerId: string): Share => [`partner:${partnerId}`];

/** Approval pages have one turn together, however many applications there are, and take turns in it by application. */
export const approvalPageShare = (applicationId: string): Share => ['approval pages', applicationId];

/** Refuses immediately what would only be refused after some work. @throws DomainError BUSY when too many of the share wait */
export function assertPasswordTurn(share: Share): void {
  try {
    semaphore.assertRoom(share);
  } catch (cause) {
    throw busyOr(cause);
  }
}

/** A PHC string for the password. @throws DomainError BUSY when too many of the share wait already */
export async function hashPassword(password: string, share: Share): Promise<string> {
  return bounded(share, () => hashing(() => argon2().hash(prepared(password), cost)));
}

let dummyHash: Promise<string> | undefined;

/** The hash that an unknown customer's password is compared with, so that a refusal costs the same work for everybody. */
export async function dummyPasswordHash(): Promise<string> {
  dummyHash ??= argon2().hash(randomToken(), cost);
  return dummyHash;
}

/** Counts guesses. Both steps run inside the semaphore, so that few guesses are counted before it is known that they are right. */
export interface GuessCounter {
  /** Before the work; when it throws there is none. */
  begin(): Promise<void>;
  /** After it, when the password was right. */
  succeeded(): Promise<void>;
}

/**
 * True when the hash is the password's.
 *
 * @throws DomainError BUSY when too many of the share wait already
 */
export async function verifyPassword(
  passwordHash: string,
  password: string,
  { share, guesses }: { share: Share; guesses?: GuessCounter },
): Promise<boolean> {
  return bounded(share, async () => {
    await guesses?.begin();
    const isRight = await hashing(() => argon2().verify(passwordHash, prepared(password)));
    if (isRight) await guesses?.succeeded();
    return isRight;
  });
}

/** The same characters, however a keyboard composes them, are the same password (NIST SP 800-63B 3.1.1.2). */
const prepared = (password: string): string => password.normalize('NFKC');

const bounded = <Result>(share: Share, task: () => Promise<Result>): Promise<Result> =>
  semaphore.run(task, share).catch((cause: unknown) => {
    throw busyOr(cause);
  });

function busyOr(cause: unknown): unknown {
  if (!(cause instanceof SemaphoreFull)) return cause;
  return new DomainError('BUSY', 'too many logins at the same time: send the same request again', {
    retryAfterS: 1,
    cause,
  });
}
