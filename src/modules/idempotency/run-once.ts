import { randomUUID } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import { equalDigests, sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { findRequest, releaseKey, storeAnswer, takeKey } from './store.ts';

/** How long an answer is kept. */
const KEPT_MS = 24 * 60 * 60 * 1000;
/** After this a run that gave no answer counts as dead, and the same request may run again. */
const RUN_MAX_MS = 60_000;
const PURPOSE = 'idempotency.answer';

type Deps = { db: Database; clock: Clock; keyring: Keyring };

/** What one key stands for: the credential, the customer, the method and the path, and the key itself. */
export interface KeyScope {
  credential: string;
  customer: string;
  method: string;
  path: string;
  key: string;
}

export interface Answer {
  statusCode: number;
  contentType: string;
  body: string;
}

/** This request was let in: it must end with `keepAnswer` or `forgetRun`. */
export interface Run {
  scope: Buffer;
  runId: string;
}

/**
 * Lets the first request under a key in, and gives every later one the answer of the first.
 *
 * @throws DomainError IDEMPOTENCY_KEY_REUSED when the body is another, IDEMPOTENCY_KEY_IN_FLIGHT while the first runs
 */
export async function beginRun(deps: Deps, keyScope: KeyScope, body: string): Promise<Run | Answer> {
  const { credential, customer, method, path, key } = keyScope;
  const now = deps.clock.now();
  const run = { scope: sha256(JSON.stringify([credential, customer, method, path, key])), runId: randomUUID() };
  const bodyDigest = sha256(body);
  const taken = await takeKey(
    deps.db,
    {
      ...run,
      bodyDigest,
      lockedUntil: new Date(now.getTime() + RUN_MAX_MS),
      expiresAt: new Date(now.getTime() + KEPT_MS),
    },
    now,
  );
  if (taken !== undefined) return run;

  const first = await findRequest(deps.db, run.scope);
  if (first !== undefined && !equalDigests(first.bodyDigest, bodyDigest)) {
    throw new DomainError('IDEMPOTENCY_KEY_REUSED', 'this Idempotency-Key was used with another body: use a new key');
  }
  if (first?.statusCode == null || first.contentType === null || first.answerSealed === null) {
    throw new DomainError('IDEMPOTENCY_KEY_IN_FLIGHT', 'the first request under this Idempotency-Key is not over yet', {
      retryAfterS: 1,
    });
  }
  return {
    statusCode: first.statusCode,
    contentType: first.contentType,
    body: deps.keyring.open(PURPOSE, first.answerSealed),
  };
}

/** Keeps the answer of a run for 24 hours, sealed: it may hold a secret. */
export async function keepAnswer(deps: Deps, run: Run, answer: Answer): Promise<void> {
  await storeAnswer(deps.db, run, {
    statusCode: answer.statusCode,
    contentType: answer.contentType,
    answerSealed: deps.keyring.seal(PURPOSE, answer.body),
  });
}

/** Gives the key back: the answer was one that says: try again. */
export async function forgetRun(deps: Deps, run: Run): Promise<void> {
  await releaseKey(deps.db, run);
}
