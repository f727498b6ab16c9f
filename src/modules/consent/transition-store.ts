import { and, eq, gt, inArray, isNotNull, isNull, lt, lte, sql } from '#drizzle';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { alteredIn } from '#lib/crypto/routing-facts.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedOne } from '#lib/postgres/prepared.ts';
import { statesLeadingTo } from '#lib/state-machine.ts';
import { assertClaim, changedClaim } from './claim-route.ts';
import { type ClaimState, claimStates, claimTransitions } from './claim-state.ts';
import type { ClaimRow } from './claim-store.ts';
import { claim } from './tables.ts';

interface Move {
  id: string;
  now: Date;
  /** Of one that is approved, and of no other: nothing else of the claim is vouched for that changes with its state. */
  routingMac?: Buffer | undefined;
}

const stamps = (next: ClaimState, { now, routingMac }: Given<Required<Move>>) => ({
  state: next,
  tokenSealed: null,
  updatedAt: sql`${now}`,
  ...(next === 'APPROVED' && { approvedAt: sql`${now}`, routingMac: sql`${routingMac}` }),
  ...(next === 'REVOKED' && { revokedAt: sql`${now}` }),
});

/** A pending claim whose token has expired becomes EXPIRED and nothing else, and does so no earlier. */
const inTime = (next: ClaimState, { now }: Given<{ now: Date }>) => {
  if (next === 'EXPIRED') return lte(claim.tokenExpiresAt, now);
  return next === 'REVOKED' ? undefined : gt(claim.tokenExpiresAt, now);
};

const moveTo = (next: ClaimState) =>
  prepared(`claims.to-${next.toLowerCase()}`, (db, given: Given<Required<Move>>) =>
    db
      .update(claim)
      .set(stamps(next, given))
      .where(
        and(eq(claim.id, given.id), inArray(claim.state, statesLeadingTo(claimTransitions, next)), inTime(next, given)),
      )
      .returning({ id: claim.id }),
  );

/** A claim goes to each state by a statement of its own. */
const moves = Object.fromEntries(claimStates.map((next) => [next, moveTo(next)])) as Record<
  ClaimState,
  ReturnType<typeof moveTo>
>;

/** Gives a claim a state, if its own leads there. When several try at once, one does. False when it was not done. */
export async function updateState(
  tx: Tx,
  { id, next, now, routingMac }: Move & { next: ClaimState },
): Promise<boolean> {
  return (await moves[next](tx, { id, now, routingMac })).length === 1;
}

/** Pending claims whose token has expired, oldest first, locked; those that another transaction has locked are left out. */
export async function lockOverdue(tx: Tx, { now, limit }: { now: Date; limit: number }): Promise<string[]> {
  return (await overdue(tx, { now, limit })).map(({ id }) => id);
}

const isOverdue = ({ now }: Given<{ now: Date }>) =>
  and(sql`${claim.state} = 'PENDING'`, lte(claim.tokenExpiresAt, now));

const overdue = prepared('claims.overdue', (db, given: Given<{ now: Date; limit: number }>) =>
  db
    .select({ id: claim.id })
    .from(claim)
    .where(isOverdue(given))
    .orderBy(claim.tokenExpiresAt)
    .limit(given.limit)
    .for('no key update', { skipLocked: true }),
);

/** The claim, locked until this transaction ends. */
export async function lockClaim(tx: Tx, id: string): Promise<ClaimRow> {
  const locked = await lock(tx, { id });
  if (locked === undefined) throw new Error('a claim is never deleted');
  return locked;
}

const lock = preparedOne('claims.lock', (db, given: Given<{ id: string }>) =>
  db.select().from(claim).where(eq(claim.id, given.id)).for('no key update'),
);

/**
 * Forgets what was confirmed in person of claims on a tag that are still pending: whoever confirmed may not have been the owner.
 * The owner can confirm again.
 */
export async function forgetConfirmations(tx: Tx, keyring: Keyring, tagId: string, now: Date): Promise<void> {
  for (const row of await lockConfirmed(tx, { tagId })) {
    // One that somebody altered is forgotten too, and stays as bad as it is.
    const { routingMac } =
      alteredIn(() => assertClaim(keyring, row)) === undefined ? changedClaim(keyring, row, NONE) : row;
    await forget(tx, { id: row.id, routingMac, now });
  }
}

const NONE = { ownerConfirmedAt: null, ownerConfirmedBy: null };

const lockConfirmed = prepared('claims.lock-confirmed', (db, given: Given<{ tagId: string }>) =>
  db
    .select()
    .from(claim)
    .where(and(eq(claim.tagId, given.tagId), eq(claim.state, 'PENDING'), isNotNull(claim.ownerConfirmedAt)))
    .orderBy(claim.id)
    .for('no key update'),
);

const forget = prepared(
  'claims.forget-confirmation',
  (db, given: Given<{ id: string; routingMac: Buffer; now: Date }>) =>
    db
      .update(claim)
      .set({ ...NONE, routingMac: sql`${given.routingMac}`, updatedAt: sql`${given.now}` })
      .where(eq(claim.id, given.id)),
);

/** Records the owner's consent on a pending claim, once. False when it is recorded already, or the claim not pending. */
export async function recordConfirmation(tx: Tx, id: string, confirmation: Confirmation, now: Date): Promise<boolean> {
  return (await confirm(tx, { id, ...confirmation, now })).length === 1;
}

interface Confirmation {
  ownerConfirmedAt: Date;
  ownerConfirmedBy: NonNullable<ClaimRow['ownerConfirmedBy']>;
  routingMac: Buffer;
}

const confirm = prepared('claims.confirm', (db, given: Given<Confirmation & { id: string; now: Date }>) =>
  db
    .update(claim)
    .set({
      ownerConfirmedAt: sql`${given.ownerConfirmedAt}`,
      ownerConfirmedBy: sql`${given.ownerConfirmedBy}`,
      routingMac: sql`${given.routingMac}`,
      updatedAt: sql`${given.now}`,
    })
    .where(
      and(
        eq(claim.id, given.id),
        eq(claim.state, 'PENDING'),
        gt(claim.tokenExpiresAt, given.now),
        isNull(claim.ownerConfirmedAt),
      ),
    )
    .returning({ id: claim.id }),
);

/** Counts an attempt to prove who one is, if one is left. Of any number at once, as many succeed as are left. */
export async function countAttempt(db: Executor, id: string, max: number): Promise<boolean> {
  return (await attempt(db, { id, max })).length === 1;
}

const attempt = prepared('claims.count-attempt', (db, given: Given<{ id: string; max: number }>) =>
  db
    .update(claim)
    .set({ proofAttempts: sql`${claim.proofAttempts} + 1` })
    .where(and(eq(claim.id, given.id), lt(claim.proofAttempts, given.max)))
    .returning({ id: claim.id }),
);
