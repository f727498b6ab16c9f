import { randomUUID } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import { equalDigests, sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { findRequest, releaseKey, reserveKey, storeAnswer } from './store.ts';

/** How long an answer is stored. */
const ANSWER_TTL_MS = 24 * 60 * 60 * 1000;
/** A run without an answer counts as dead after so long, and the same request may run again. */
const RUN_MAX_MS = 60_000;
const PURPOSE = 'idempotency.answer';

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'idempotency.request', column: 'answer_sealed', purpose: PURPOSE },
];

type Deps = { db: Database; clock: Clock; keyring: Keyring };

/** An Idempotency-Key is unique within a credential, a customer, a method and a path. */
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

/** A request that may run. It must end with `storeRunAnswer` or `abandonRun`. */
export interface Run {
  scope: Buffer;
  runId: string;
}

/**
 * Lets the first request under a key run, and answers every later one as the first.
 *
 * @throws DomainError IDEMPOTENCY_KEY_REUSED when the body differs, IDEMPOTENCY_KEY_IN_FLIGHT while the first runs
 */
export async function beginRun(deps: Deps, keyScope: KeyScope, body: string): Promise<Run | Answer> {
  const { credential, customer, method, path, key } = keyScope;
  const now = deps.clock.now();
  const run = { scope: sha256(JSON.stringify([credential, customer, method, path, key])), runId: randomUUID() };
  const bodyDigest = sha256(body);
  const reserved = await reserveKey(deps.db, {
    ...run,
    bodyDigest,
    lockedUntil: new Date(now.getTime() + RUN_MAX_MS),
    expiresAt: new Date(now.getTime() + ANSWER_TTL_MS),
    now,
  });
  if (reserved !== undefined) return run;

  const first = await findRequest(deps.db, { scope: run.scope });
  if (first !== undefined && !equalDigests(first.bodyDigest, bodyDigest)) {
    throw new DomainError(
      'IDEMPOTENCY_KEY_REUSED',
      'this Idempotency-Key was used with another body, x-terminal or Prefer: use a new key',
    );
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

/** Stores the answer of a run for 24 hours, sealed, because it may hold a secret. */
export async function storeRunAnswer(deps: Deps, run: Run, answer: Answer): Promise<void> {
  await storeAnswer(deps.db, {
    ...run,
    statusCode: answer.statusCode,
    contentType: answer.contentType,
    answerSealed: deps.keyring.seal(PURPOSE, answer.body),
  });
}

/** Frees the key, so that the same request runs again: the answer was a transient failure. */
export async function abandonRun(deps: Deps, run: Run): Promise<void> {
  await releaseKey(deps.db, run);
}
