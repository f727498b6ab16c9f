import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { DomainError } from '#lib/domain-error.ts';
import { randomToken } from '#lib/random.ts';
import { createSemaphore, SemaphoreFull } from '#lib/semaphore.ts';

/** argon2id by default, at the OWASP minimum: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** libuv has four threads for this and for everything else that leaves the event loop: one stays free. */
const runningMax = Math.min(availableParallelism(), 3);
/** About a second of work: a request after that is better refused at once. */
const waitingMax = 64;
const semaphore = createSemaphore({ runningMax, waitingMax });

/** A PHC string for the password. @throws DomainError BUSY when too many wait already */
export async function hashPassword(password: string): Promise<string> {
  return bounded(() => hash(prepared(password), cost));
}

let dummyHash: Promise<string> | undefined;

/** The hash that an unknown customer's password is compared with, so that a refusal costs the same work for everybody. */
export async function dummyPasswordHash(): Promise<string> {
  dummyHash ??= hash(randomToken(), cost);
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
 * @throws DomainError BUSY when too many wait already
 */
export async function verifyPassword(passwordHash: string, password: string, guesses?: GuessCounter): Promise<boolean> {
  return bounded(async () => {
    await guesses?.begin();
    const isRight = await verify(passwordHash, prepared(password));
    if (isRight) await guesses?.succeeded();
    return isRight;
  });
}

/** The same characters, however a keyboard composes them, are the same password (NIST SP 800-63B 3.1.1.2). */
const prepared = (password: string): string => password.normalize('NFKC');

async function bounded<Result>(task: () => Promise<Result>): Promise<Result> {
  try {
    return await semaphore(task);
  } catch (cause) {
    if (!(cause instanceof SemaphoreFull)) throw cause;
    throw new DomainError('BUSY', 'too many logins at once: send the same request again', { retryAfterS: 1, cause });
  }
}
