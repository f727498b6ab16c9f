import { and, desc, eq, isNull, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk, type Select } from '#lib/postgres/lists.ts';
import {
  type Given,
  prepared,
  preparedColumns,
  preparedOne,
  preparedText,
  type Written,
} from '#lib/postgres/prepared.ts';
import type { Minor } from './money.ts';
import { refusalError, toRefusal } from './posting.ts';
import { account, hold, lien, transaction } from './tables.ts';

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
 * answers the same hold, whatever its state.
 *
 * @returns the hold's id
 * @throws DomainError REFERENCE_REUSED, WALLET_BLOCKED, WALLET_PND, INSUFFICIENT_FUNDS, LIMIT_EXCEEDED
 */
export async function placeHold(db: Executor, request: HoldRequest, now?: Date): Promise<number> {
  const { owner, reference, account: accountId, amount, expiresAt, defaultDailyLimit: dailyLimit } = request;
  const hash = holdDigest(request);
  const limit = [dailyLimit !== undefined, dailyLimit ?? null];
  const [row] = await callPlaceHold(db, [owner, reference, hash, accountId, amount, expiresAt, ...limit, now ?? null]);
  if (row === undefined) throw new Error('ledger.place_hold gave no outcome');
  if (!HOLD_STATES.has(row.outcome)) throw refusalError(toRefusal(row.outcome));
  return Number(row.hold_id);
}

const callPlaceHold = preparedText<{ outcome: string; hold_id: string }>(
  'ledger.place-hold',
  'select outcome, hold_id from ledger.place_hold($1::uuid, $2, $3, $4, $5, $6::timestamptz, $7, $8::bigint, $9::timestamptz)',
  { writes: true },
);

const HOLD_STATES = new Set(['OPEN', 'CAPTURED', 'RELEASED', 'EXPIRED']);

/** The digest that identifies a repeated hold. */
export const holdDigest = ({
  account: accountId,
  amount,
  expiresAt,
}: Pick<HoldRequest, 'account' | 'amount' | 'expiresAt'>): Buffer =>
  sha256(JSON.stringify([accountId, String(amount), expiresAt]));

/** Releases a hold, whatever the account's status. @returns false when it was no longer open */
export async function releaseHold(db: Executor, id: number, now?: Date): Promise<boolean> {
  return (await closeHolds(db, [id], 'RELEASED', now)) === 1;
}

/** Expires at most `limit` overdue holds. @returns how many */
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
  const [row] = await callCloseHolds(db, [ids, state, now ?? null]);
  return row?.closed ?? 0;
}

const callCloseHolds = preparedText<{ closed: number }>(
  'ledger.close-holds',
  'select ledger.close_holds($1::bigint[], $2, $3::timestamptz) as closed',
  { writes: true },
);

export type Lien = typeof lien.$inferSelect;

/** Keeps an amount of an account from being spent, even when it does not hold that much yet. @returns the lien's id */
export async function placeLien(
  tx: Tx,
  request: { account: number; amount: Minor; reason: string; heldFor?: Lien['heldFor'] | undefined },
  now: Date,
): Promise<number> {
  await addToLiens(tx, { id: request.account, amount: request.amount, now });
  const { account: accountId, amount, reason, heldFor } = request;
  const [placed] = await insertLien(tx, { accountId, amount, reason, heldFor, createdAt: now }, {});
  if (placed === undefined) throw new Error('an insert returned nothing');
  return placed.id;
}

type NewLien = Pick<Lien, 'accountId' | 'amount' | 'reason' | 'createdAt'> & { heldFor?: Lien['heldFor'] | undefined };

const insertLien = preparedColumns('ledger.add-lien', lien, (db, written: Written<NewLien>) =>
  db.insert(lien).values(written).returning({ id: lien.id }),
);

/** Lifts a lien of this account. @returns false when there is none, or it has been lifted */
export async function liftLien(tx: Tx, request: { account: number; lien: number }, now: Date): Promise<boolean> {
  const lifted = await markLifted(tx, { ...request, now });
  if (lifted === undefined) return false;
  await addToLiens(tx, { id: request.account, amount: -lifted.amount, now });
  return true;
}

const markLifted = preparedOne('ledger.lift-lien', (db, given: Given<{ account: number; lien: number; now: Date }>) =>
  db
    .update(lien)
    .set({ liftedAt: sql`${given.now}` })
    .where(and(eq(lien.id, given.lien), eq(lien.accountId, given.account), isNull(lien.liftedAt)))
    .returning({ amount: lien.amount }),
);

/** The liens in force on an account, oldest first. */
export const liensOf = (db: Executor, accountId: number): Promise<Lien[]> => inForce(db, { accountId });

const inForce = prepared('ledger.liens', (db, given: Given<{ accountId: number }>) =>
  db
    .select()
    .from(lien)
    .where(and(eq(lien.accountId, given.accountId), isNull(lien.liftedAt)))
    .orderBy(lien.id),
);

/** A lien of this account, lifted or not. */
export const findLien = (db: Executor, request: { account: number; lien: number }): Promise<Lien | undefined> =>
  byId(db, request);

const byId = preparedOne('ledger.lien', (db, given: Given<{ account: number; lien: number }>) =>
  db
    .select()
    .from(lien)
    .where(and(eq(lien.id, given.lien), eq(lien.accountId, given.account))),
);

const addToLiens = prepared('ledger.add-to-liens', (db, given: Given<{ id: number; amount: bigint; now: Date }>) =>
  db
    .update(account)
    .set({ liens: sql`${account.liens} + ${given.amount}`, updatedAt: sql`${given.now}` })
    .where(eq(account.id, given.id)),
);

/** A hold, and the two-step transaction that it belongs to, if any. */
export interface OpenHold {
  hold: typeof hold.$inferSelect;
  transaction: Pick<typeof transaction.$inferSelect, 'id' | 'type' | 'reference' | 'externalReference'> | null;
}

const openHold = alias(hold, 'h');

/** The open holds of an account, newest first. `count` is of all of them. */
export async function listOpenHolds(
  db: Executor,
  accountId: number,
  page: PageRequest<number>,
): Promise<Listed<OpenHold, number>> {
  const within = sql`${openHold.accountId} = ${accountId} and ${openHold.state} = 'OPEN'`;
  const walk = { name: 'holds', filter: { accountId }, table: hold, row: openHold, key: openHold.id, within };
  return pageOfWalk(db, walk, page, { rows: (keys) => selectHolds(db, keys), keyOf: (one) => one.hold.id });
}

const selectHolds = (db: Executor, keys: SQL): Select<OpenHold> =>
  db
    .select({
      hold,
      transaction: {
        id: transaction.id,
        type: transaction.type,
        reference: transaction.reference,
        externalReference: transaction.externalReference,
      },
    })
    .from(hold)
    .leftJoin(transaction, eq(transaction.holdId, hold.id))
    .where(sql`${hold.id} in (${keys})`)
    .orderBy(desc(hold.id));

const listedLien = alias(lien, 'l');

/** The liens of an account, lifted ones included, newest first. `count` is of all of them. */
export async function listLiens(
  db: Executor,
  accountId: number,
  page: PageRequest<number>,
): Promise<Listed<Lien, number>> {
  const within = eq(listedLien.accountId, accountId);
  const walk = { name: 'liens', filter: { accountId }, table: lien, row: listedLien, key: listedLien.id, within };
  return pageOfWalk(db, walk, page, {
    rows: (keys) => db.select().from(lien).where(sql`${lien.id} in (${keys})`).orderBy(desc(lien.id)),
    keyOf: ({ id }) => id,
  });
}
