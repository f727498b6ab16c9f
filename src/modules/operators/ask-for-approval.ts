import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Minor } from '#lib/minor-units.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { type Approval, openAnswer, type StoredInput, sealInput, toApproval } from './approval.ts';
import { insertApproval, lockPending, moveApproval, newApprovalId, selectExecuted } from './approval-store.ts';
import type { AuthenticatedOperator } from './authenticate-operator.ts';

/** A request that nobody answers within a day has expired. */
const TTL_MS = 24 * 60 * 60 * 1000;
const DIGEST_PURPOSE = 'approvals.digest';

interface Asked {
  by: AuthenticatedOperator;
  operation: string;
  input: StoredInput;
}

const digestOf = (keyring: Keyring, { by, operation, input }: Asked): Buffer =>
  keyring.blindIndex(DIGEST_PURPOSE, JSON.stringify([by.id, operation, input.params, input.body]));

/**
 * Stores what an operator asks for, until another approves or rejects it. Asked for again while it is pending, it is the same
 * request. Audited, without what is asked for.
 *
 * @param asked.amount what it moves, where it moves money
 */
export async function askForApproval(
  { transact, clock, keyring }: { transact: Transact; clock: Clock; keyring: Keyring },
  asked: Asked & { amount?: Minor | undefined; reason?: string | undefined },
): Promise<Approval> {
  const { by, operation, input, amount, reason } = asked;
  const now = clock.now();
  const digest = digestOf(keyring, asked);
  return transact(async (tx) => {
    const pending = await lockPending(tx, digest);
    if (pending !== undefined && pending.expiresAt > now) return toApproval(pending, now);
    if (pending !== undefined) await moveApproval(tx, pending.id, 'EXPIRED', { endedAt: now });
    const row = {
      id: await newApprovalId(tx),
      operation,
      digest,
      amount: amount ?? null,
      requestedBy: by.id,
      requestedByName: by.name,
    };
    const created = await insertApproval(tx, {
      ...row,
      inputSealed: sealInput(keyring, row, input),
      createdAt: now,
      expiresAt: new Date(now.getTime() + TTL_MS),
    });
    if (created === undefined) {
      const other = await lockPending(tx, digest); // asked for at the same moment
      if (other === undefined) throw new Error('a pending request is gone');
      return toApproval(other, now);
    }
    const after = { operation, ...(amount === undefined ? {} : { amount: String(amount) }), on: input.params };
    await recordChange(tx, { actor: by.actor, action: 'approval.request', target: created.id, after, reason });
    return toApproval(created, now);
  });
}

/** Whether this operator asked for just this before, and it was approved and done: the answer says so, until it is forgotten. */
export async function wasDone({ db, keyring }: { db: Database; keyring: Keyring }, asked: Asked): Promise<boolean> {
  const executed = await selectExecuted(db, digestOf(keyring, asked));
  return executed.some((row) => openAnswer(keyring, row) !== undefined);
}
