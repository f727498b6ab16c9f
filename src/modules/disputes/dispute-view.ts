import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import type { Currency, TransactionType } from '#modules/ledger';
import { type DisputeState, isUndecided } from './dispute-state.ts';
import { openSaid, type Said } from './said.ts';
import { type DisputeFilter, type DisputeParts, type EvidenceParts, selectById, selectMatching } from './store.ts';

/** A dispute as operators and the partner see it. Amounts are minor units. */
export interface DisputeView {
  id: string;
  /** What is disputed. */
  transaction: { id: number; type: TransactionType; reference: string };
  /** Whose the wallet is that received the money. */
  partnerId: string;
  /** Its reference. */
  wallet: string;
  amount: bigint;
  currency: Currency;
  /** What of the amount is in the wallet while the dispute is not decided: the rest has been spent, and cannot go back before it is there again. */
  covered: bigint | undefined;
  state: DisputeState;
  reason: string;
  respondBy: Date;
  evidence: (Said & Pick<EvidenceParts, 'by' | 'createdAt'>)[];
  /** What gave the amount back, or what of it had not been refunded since. */
  refund: { reference: string; amount: bigint } | undefined;
  decision: string | undefined;
  createdAt: Date;
  expiredAt: Date | undefined;
  decidedAt: Date | undefined;
}

type Deps = { db: Executor; keyring: Keyring; securityLog: SecurityLog };

/** The error for a dispute that does not exist. */
export const disputeNotFound = (): DomainError => new DomainError('DISPUTE_NOT_FOUND', 'there is no such dispute');

/** The error for a dispute that is decided. */
export const decided = ({ state }: { state: DisputeState }): DomainError =>
  new DomainError('DISPUTE_STATE_CONFLICT', `the dispute is ${state}`);

/**
 * A dispute.
 *
 * @param partnerId about whose wallets; absent: anybody's
 * @throws DomainError DISPUTE_NOT_FOUND
 */
export async function getDispute(
  deps: Deps,
  { id, partnerId }: { id: string; partnerId?: string | undefined },
): Promise<DisputeView> {
  const found = await selectById(deps.db, { id });
  if (found === undefined || (partnerId ?? found.row.partnerId) !== found.row.partnerId) throw disputeNotFound();
  return toView(deps, found);
}

/** Disputes about the wallets of all partners or one, newest first. */
export async function listDisputes(
  deps: Deps,
  { limit, offset, cursor, isUncounted, ...filter }: DisputeFilter & PageRequest<string>,
): Promise<Listed<DisputeView, string>> {
  const { items, ...found } = await selectMatching(deps.db, filter, { limit, offset, cursor, isUncounted });
  return { ...found, items: items.map((parts) => toView(deps, parts)) };
}

function toView(deps: Deps, { row, transaction, account, refund, evidence }: DisputeParts): DisputeView {
  const there = account.posted - account.suspended;
  const covered = there < row.amount ? there : row.amount;
  return {
    id: row.id,
    transaction: { id: transaction.id, type: transaction.type, reference: transaction.reference },
    partnerId: row.partnerId,
    wallet: row.wallet,
    amount: row.amount,
    currency: row.currency,
    covered: isUndecided(row.state) ? covered : undefined,
    state: row.state,
    reason: row.reason,
    respondBy: row.respondBy,
    evidence: evidence.map(({ number, saidSealed, ...said }) => ({
      ...said,
      ...openSaid(deps, { ...said, number, disputeId: row.id, saidSealed }),
    })),
    refund: refund ?? undefined,
    decision: row.decision ?? undefined,
    createdAt: row.createdAt,
    expiredAt: row.expiredAt ?? undefined,
    decidedAt: row.decidedAt ?? undefined,
  };
}
