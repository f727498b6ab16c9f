import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Clock } from '#lib/clock.ts';
import { equalDigests, sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import { DomainError } from '#lib/domain-error.ts';
import { createBatchCall } from '#lib/postgres/batch-calls.ts';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import type { RunOnce } from '#lib/postgres/transact.ts';
import { commitRun, findRequest, lockUntil, releaseKey, selectRequestsOf } from './store.ts';

/** How long an answer is stored. */
const ANSWER_TTL_MS = 24 * 60 * 60 * 1000;

/** A run that does not renew its lease in this time counts as dead, and the same request may run again. */
const LEASE_MS = 15_000;

/** How often a run renews its lease: two renewals may be late. */
const RENEW_MS = 4_000;

/** The longest time of a request. */
const RUN_MAX_MS = 60_000;

/** Repeats during a newer run get the shortest Retry-After: most runs are over by then. */
const NEW_RUN_MS = 2_000;

const ANSWER = { table: 'idempotency.request', column: 'answer_sealed', row: ['scope'] } as const;

/** The sealed columns that a rekey rewrites. */
export const sealedColumns: readonly SealedColumn[] = [ANSWER];

type Deps = { db: Database; clock: Clock; keyring: Keyring; idempotencyKeys: IdempotencyKeys };

/** An Idempotency-Key is unique within a credential, a customer and an operation, however its path is spelled. */
export interface KeyScope {
  credential: string;
  customer: string;
  method: string;
  /** The path of the route. */
  operation: string;
  /** The decoded parameters of the path. */
  parameters: Readonly<Record<string, string>>;
  key: string;
}

/** The stored facts of a request, for a search by X-Request-Id. */
export interface Asked {
  requestId: string;
  /** The path of the route, without parameter values. */
  route: string;
}

export interface Answer {
  statusCode: number;
  contentType: string;
  body: string;
}

/**
 * A request that may run. It must end with `storeRunAnswer` or `abandonRun`. Its transactions store that they committed, if it runs
 * within `runAs` (`lib/postgres/transact.ts`).
 */
export interface Run extends RunOnce {
  readonly scope: Buffer;
  readonly runId: string;
  /** The owner of its credential. */
  readonly caller: string;
  /** Renews its lease. */
  readonly renewal: NodeJS.Timeout;
}

/**
 * Runs the first request under a key, and gives every later one the first answer.
 *
 * @throws DomainError IDEMPOTENCY_KEY_REUSED when the body differs, IDEMPOTENCY_KEY_IN_FLIGHT while the first runs, or may run;
 *   IDEMPOTENCY_ANSWER_LOST when it committed, and its answer was lost
 */
export async function beginRun(
  deps: Deps,
  keyScope: KeyScope,
  { body, ...asked }: Asked & { body: string },
): Promise<Run | Answer> {
  const { credential, customer, method, operation, parameters, key } = keyScope;
  const now = deps.clock.now();
  const scope = sha256(JSON.stringify([credential, customer, method, operation, Object.values(parameters), key]));
  const named = { scope, runId: randomUUID() };
  const bodyDigest = sha256(body);
  const reserved = await deps.idempotencyKeys.reserve({
    ...named,
    ...asked,
    method,
    caller: credential,
    bodyDigest,
    lockedUntil: leaseFrom(now),
    expiresAt: new Date(now.getTime() + ANSWER_TTL_MS),
    now,
  });
  if (reserved) {
    const late = deps.clock.now();
    if (late.getTime() - now.getTime() > RENEW_MS) await lockUntil(deps.db, { ...named, lockedUntil: leaseFrom(late) });
    return begun(deps, named, credential);
  }

  const first = await findRequest(deps.db, { scope: named.scope });
  if (first !== undefined && !equalDigests(first.bodyDigest, bodyDigest)) {
    throw new DomainError(
      'IDEMPOTENCY_KEY_REUSED',
      'this Idempotency-Key was used with another body, query, x-terminal or Prefer: use a new key',
    );
  }
  if (first?.statusCode == null || first.contentType === null || first.answerSealed === null) {
    if (first !== undefined && first.committedRun === first.runId && first.lockedUntil <= now) {
      throw new DomainError(
        'IDEMPOTENCY_ANSWER_LOST',
        'the first request under this Idempotency-Key took effect, but its answer was lost: read the current state, and use a new key for the rest',
      );
    }
    throw new DomainError(
      'IDEMPOTENCY_KEY_IN_FLIGHT',
      'the first request under this Idempotency-Key is still running',
      {
        retryAfterS: first === undefined ? 1 : waitS(first.lockedUntil, now),
      },
    );
  }
  return {
    statusCode: first.statusCode,
    contentType: first.contentType,
    body: deps.keyring.open(ANSWER, [named.scope], first.answerSealed),
  };
}

/** A new run may be over in a moment; an older one is slow and renews its lease, or has died and loses it. */
function waitS(lockedUntil: Date, now: Date): number {
  const leftMs = lockedUntil.getTime() - now.getTime();
  return LEASE_MS - leftMs < NEW_RUN_MS ? 1 : Math.max(1, Math.ceil(leftMs / 1000));
}

function begun(deps: Deps, named: { scope: Buffer; runId: string }, caller: string): Run {
  const until = performance.now() + RUN_MAX_MS;
  const renewal = setInterval(() => {
    if (performance.now() > until) clearInterval(renewal);
    else void lockUntil(deps.db, { ...named, lockedUntil: leaseFrom(deps.clock.now()) }).catch(() => undefined);
  }, RENEW_MS).unref();
  return { ...named, caller, mark: commitRun(named), isInDoubt: false, isOver: false, renewal };
}

const leaseFrom = (now: Date): Date => new Date(now.getTime() + LEASE_MS);

/** Code that continues after this is no part of the run. */
function end(run: Run): { scope: Buffer; runId: string } {
  clearInterval(run.renewal);
  run.isOver = true;
  return { scope: run.scope, runId: run.runId };
}

/** Stores the answer of a run for 24 hours, sealed, because it may hold a secret. */
export async function storeRunAnswer(deps: Deps, run: Run, answer: Answer): Promise<void> {
  await deps.idempotencyKeys.storeAnswer({
    ...end(run),
    caller: run.caller,
    statusCode: answer.statusCode,
    contentType: answer.contentType,
    answerSealed: deps.keyring.seal(ANSWER, [run.scope], answer.body),
  });
}

/**
 * Frees the key after a transient failure, so that the same request runs again. If it may have taken effect, because a commit was cut
 * off or the failure was unexpected, frees it only if nothing was or will be committed: otherwise the request would take effect
 * twice.
 */
export async function abandonRun(deps: Deps, run: Run, { mayBeDone = false } = {}): Promise<void> {
  const named = end(run);
  if (!run.isInDoubt && !mayBeDone) await releaseKey(deps.db, named);
  else await lockUntil(deps.db, { ...named, lockedUntil: new Date(deps.clock.now().getTime() - 1) });
}

/** A request with an Idempotency-Key in the last 24 hours. */
export interface KeyedRequest {
  method: string;
  route: string;
  /** E.g. `partner:{id}`. */
  caller: string;
  at: Date;
  /** The status of its answer; undefined if it is still running, or died. */
  statusCode: number | undefined;
}

/** The stored requests with this X-Request-Id, newest first, up to a limit. */
export async function findKeyedRequests(
  db: Executor,
  { requestId, limit }: { requestId: string; limit: number },
): Promise<KeyedRequest[]> {
  const found = await selectRequestsOf(db, [requestId, limit]);
  return found.map(({ expiresAt, statusCode, ...one }) => ({
    ...one,
    at: new Date(Date.parse(expiresAt) - ANSWER_TTL_MS),
    statusCode: statusCode ?? undefined,
  }));
}

interface Reservation {
  scope: Buffer;
  bodyDigest: Buffer;
  runId: string;
  lockedUntil: Date;
  expiresAt: Date;
  requestId: string;
  method: string;
  route: string;
  /** The owner of its credential. */
  caller: string;
  now: Date;
}

interface RunAnswer {
  scope: Buffer;
  runId: string;
  caller: string;
  statusCode: number;
  contentType: string;
  answerSealed: Buffer;
}

/**
 * The writes of each request under a key: its reservation before it runs, and its answer after. Concurrent ones share a database
 * transaction; a caller never waits for locks that only another caller's requests need.
 */
export interface IdempotencyKeys {
  /** Reserves a key for this run: a new key, an expired one, or one whose run died. False when it is in use. */
  reserve(reservation: Reservation): Promise<boolean>;
  /** Stores the answer of a run, unless another run owns the key. */
  storeAnswer(answer: RunAnswer): Promise<void>;
}

interface Reserved {
  ordinal: number;
  reserved: boolean;
}

const RESERVE = { name: 'idempotency.reserve', columns: 'ordinal, reserved', poolShare: 0.25, locksAccounts: false };

const STORE = { name: 'idempotency.store_answers', columns: 'ordinal', poolShare: 0.25, locksAccounts: false };

export function createIdempotencyKeys(pool: Pool): IdempotencyKeys {
  const reserve = createBatchCall<Reserved>(pool, RESERVE);
  const store = createBatchCall<{ ordinal: number }>(pool, STORE);
  return {
    async reserve({ scope, bodyDigest, ...more }) {
      const member = { scope: scope.toString('hex'), bodyDigest: bodyDigest.toString('hex'), ...more };
      return (await reserve(more.caller, JSON.stringify(member))).reserved;
    },
    async storeAnswer({ caller, scope, answerSealed, ...more }) {
      const member = { scope: scope.toString('hex'), answerSealed: answerSealed.toString('base64'), ...more };
      await store(caller, JSON.stringify(member));
    },
  };
}
