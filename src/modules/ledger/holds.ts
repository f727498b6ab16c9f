import { sql } from '#drizzle';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import type { Minor } from './money.ts';
import { refusalError, toRefusal } from './refusals.ts';

export interface HoldRequest {
  /** `reference` is unique among the references of this owner. */
  owner: string;
  reference: string;
  account: number;
  /** Includes the fee that its capture will take. */
  amount: Minor;
  expiresAt: Date;
  /** The daily limit it counts against where the account has none of its own; absent: it counts against none. */
  defaultDailyLimit?: Minor | undefined;
}

/**
 * Sets money aside for a later capture, which is a posting that names the hold. The same reference with the same content
 * answers the same hold, whatever has become of it.
 *
 * @returns the hold's id
 * @throws DomainError REFERENCE_REUSED, WALLET_BLOCKED, WALLET_PND, INSUFFICIENT_FUNDS, LIMIT_EXCEEDED
 */
export async function placeHold(db: Executor, request: HoldRequest, now?: Date): Promise<number> {
  const { owner, reference, account, amount, expiresAt, defaultDailyLimit: dailyLimit } = request;
  const hash = holdDigest(request);
  const limit = [dailyLimit !== undefined, dailyLimit ?? null];
  const [row] = await place(db, [owner, reference, hash, account, amount, expiresAt, ...limit, now ?? null]);
  if (row === undefined) throw new Error('ledger.place_hold gave no outcome');
  if (!HOLD_STATES.has(row.outcome)) throw refusalError(toRefusal(row.outcome));
  return Number(row.hold_id);
}

const place = preparedText<{ outcome: string; hold_id: string }>(
  'ledger.place-hold',
  'select outcome, hold_id from ledger.place_hold($1::uuid, $2, $3, $4, $5, $6::timestamptz, $7, $8::bigint, $9::timestamptz)',
  { writes: true },
);

const HOLD_STATES = new Set(['OPEN', 'CAPTURED', 'RELEASED', 'EXPIRED']);

/** What makes a repeated hold the same hold. */
export const holdDigest = ({
  account,
  amount,
  expiresAt,
}: Pick<HoldRequest, 'account' | 'amount' | 'expiresAt'>): Buffer =>
  sha256(JSON.stringify([account, String(amount), expiresAt]));

/** Releases a hold, whatever the account's status. @returns false when it was no longer open */
export async function releaseHold(db: Executor, hold: number, now?: Date): Promise<boolean> {
  return (await closeHolds(db, [hold], 'RELEASED', now)) === 1;
}

/** Expires open holds that are past their time, at most `limit` of them. @returns how many */
export async function expireHolds(db: Executor, limit: number, now?: Date): Promise<number> {
  const at = now?.toISOString() ?? null;
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from ledger.hold where state = 'OPEN' and expires_at <= coalesce(${at}::timestamptz, clock_timestamp())
    order by expires_at limit ${limit}`);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => Number(id));
  return closeHolds(db, ids, 'EXPIRED', now);
}

async function closeHolds(db: Executor, ids: readonly number[], state: string, now?: Date): Promise<number> {
  const [row] = await close(db, [ids, state, now ?? null]);
  return row?.closed ?? 0;
}

const close = preparedText<{ closed: number }>(
  'ledger.close-holds',
  'select ledger.close_holds($1::bigint[], $2, $3::timestamptz) as closed',
  { writes: true },
);
