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

/** A run of which nothing is heard for so long counts as dead, and the same request may run again. */
const LEASE_MS = 15_000;

/** How often a run that goes on says so: an answer of the database may be late twice. */
const RENEW_MS = 4_000;

/** No request takes longer. */
const RUN_MAX_MS = 60_000;

/** Whoever meets a younger run is told to ask again at once: most are over by then. */
const YOUNG_MS = 2_000;

const ANSWER = { table: 'idempotency.request', column: 'answer_sealed', row: ['scope'] } as const;

/** The sealed columns that a rekey rewrites. */
export const sealedColumns: readonly SealedColumn[] = [ANSWER];

type Deps = { db: Database; clock: Clock; keyring: Keyring; idempotencyKeys: IdempotencyKeys };

/** An Idempotency-Key is unique within a credential, a customer and an operation, however the path of that is written. */
export interface KeyScope {
  credential: string;
  customer: string;
  method: string;
  /** The path as the route says it. */
  operation: string;
  /** What stands in the path for its parameters, decoded. */
  parameters: Readonly<Record<string, string>>;
  key: string;
}

/** What is kept of a request for whoever looks for it. */
export interface Asked {
  requestId: string;
  /** Its path as the route says it, without the values that stood in it. */
  route: string;
}

export interface Answer {
  statusCode: number;
  contentType: string;
  body: string;
}

/**
 * A request that may run. It must end with `storeRunAnswer` or `abandonRun`. What it commits meanwhile says so in the same
 * transaction, where it runs as `runAs` has it (`lib/postgres/transact.ts`).
 */
export interface Run extends RunOnce {
  readonly scope: Buffer;
  readonly runId: string;
  /** Whose credential it was asked with. */
  readonly caller: string;
  /** Says that it goes on. */
  readonly renewal: NodeJS.Timeout;
}

/**
 * Lets the first request under a key run, and answers every later one as the first.
 *
 * @throws DomainError IDEMPOTENCY_KEY_REUSED when the body differs, IDEMPOTENCY_KEY_IN_FLIGHT while the first runs, or may run;
 *   IDEMPOTENCY_ANSWER_LOST when it committed something, and nobody knows what it answered
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
        'the first request under this Idempotency-Key was done, and its answer was lost: look at what is there, and use a new key for what is still to be done',
      );
    }
    throw new DomainError('IDEMPOTENCY_KEY_IN_FLIGHT', 'the first request under this Idempotency-Key is not over yet', {
      retryAfterS: first === undefined ? 1 : waitS(first.lockedUntil, now),
    });
  }
  return {
    statusCode: first.statusCode,
    contentType: first.contentType,
    body: deps.keyring.open(ANSWER, [named.scope], first.answerSealed),
  };
}

/** One that has just begun may be over in a moment; one that is old has died, or takes long, and says so until it is over. */
function waitS(lockedUntil: Date, now: Date): number {
  const leftMs = lockedUntil.getTime() - now.getTime();
  return LEASE_MS - leftMs < YOUNG_MS ? 1 : Math.max(1, Math.ceil(leftMs / 1000));
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

/** What runs on by itself from here is no part of the run. */
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
 * Frees the key, so that the same request runs again: the answer was a transient failure. When it may be done, since a commit of
 * its was cut off, or since nobody foresaw how it failed, only if nothing has been committed, and never will be: what was done
 * would be done twice.
 */
export async function abandonRun(deps: Deps, run: Run, { mayBeDone = false } = {}): Promise<void> {
  const named = end(run);
  if (!run.isInDoubt && !mayBeDone) await releaseKey(deps.db, named);
  else await lockUntil(deps.db, { ...named, lockedUntil: new Date(deps.clock.now().getTime() - 1) });
}

/** A request that came with an Idempotency-Key in the last 24 hours. */
export interface KeyedRequest {
  method: string;
  route: string;
  /** E.g. `partner:{id}`. */
  caller: string;
  at: Date;
  /** What it was answered with; undefined of one that is not over, or did not end. */
  statusCode: number | undefined;
}

/** What is kept of the requests that had this X-Request-Id: so many at most, the newest first. */
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
  /** Whose credential it is asked with. */
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
 * What each request under a key writes before it runs and after: its reservation, and its answer. Those of the same moment share a
 * database transaction; a caller never waits for what only another's requests need.
 */
export interface IdempotencyKeys {
  /** Reserves a key for this run: a new key, an expired one, or one whose run died. False when it is in use. */
  reserve(reservation: Reservation): Promise<boolean>;
  /** Stores the answer of a run, unless another run has taken the key over. */
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
