import type { Pool } from 'pg';
import { createBatchCall } from '#lib/postgres/batch-calls.ts';

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
