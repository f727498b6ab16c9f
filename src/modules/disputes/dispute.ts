import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import { toMajor } from '#lib/minor-units.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import type { Currency, TransactionType } from '#modules/ledger';
import { emitTo } from '#modules/outbox';
import { endpointsThatWant } from '#modules/webhooks';
import { type DisputeState, isUndecided } from './dispute-state.ts';
import { type EvidenceText, openEvidence } from './evidence.ts';
import {
  type DisputeFilter,
  type DisputeParts,
  type DisputeRow,
  type EvidenceParts,
  selectById,
  selectMatching,
} from './store.ts';

/** A dispute as operators and the partner see it. Amounts are minor units. */
export interface DisputeView {
  id: string;
  /** The disputed transaction. */
  transaction: { id: number; type: TransactionType; reference: string };
  /** The partner of the wallet that received the money. */
  partnerId: string;
  /** Its reference. */
  wallet: string;
  amount: bigint;
  currency: Currency;
  /** The part of the amount that the wallet still holds while the dispute is undecided: only this can be refunded now. */
  covered: bigint | undefined;
  state: DisputeState;
  reason: string;
  respondBy: Date;
  evidence: (EvidenceText & Pick<EvidenceParts, 'by' | 'createdAt'>)[];
  /** The refund of the amount, less other refunds since. */
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
export const alreadyDecided = ({ state }: { state: DisputeState }): DomainError =>
  new DomainError('DISPUTE_STATE_CONFLICT', `the dispute is ${state}`);

/**
 * A dispute.
 *
 * @param partnerId the wallet's partner; absent: any
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
      ...openEvidence(deps, { ...said, number, disputeId: row.id, saidSealed }),
    })),
    refund: refund ?? undefined,
    decision: row.decision ?? undefined,
    createdAt: row.createdAt,
    expiredAt: row.expiredAt ?? undefined,
    decidedAt: row.decidedAt ?? undefined,
  };
}

/**
 * Publishes a dispute event to the endpoints of the wallet's partner that name it, in the transaction of the change. The event
 * contains no evidence.
 */
export async function publishDisputeEvent(
  tx: Tx,
  event: 'dispute.opened' | 'dispute.expired' | 'dispute.decided',
  {
    row,
    original,
    refund,
  }: {
    row: DisputeRow;
    original: { reference: string };
    refund: { amount: bigint; reference: string } | undefined;
  },
): Promise<void> {
  const data = {
    ID: row.id,
    TransactionReference: original.reference,
    Wallet: row.wallet,
    Amount: toMajor(row.amount),
    Currency: row.currency,
    State: row.state,
    RespondBy: row.respondBy,
    Refunded: toMajor(refund?.amount ?? 0n),
    RefundReference: refund?.reference ?? '',
    CreatedAt: row.createdAt,
    ...(row.expiredAt !== null && { ExpiredAt: row.expiredAt }),
    ...(row.decidedAt !== null && { DecidedAt: row.decidedAt }),
  };
  const body = JSON.stringify({ event, reference: row.id, data });
  for (const { endpointId } of await endpointsThatWant(tx, { ownerId: row.partnerId, event, toKeep: true })) {
    await emitTo(tx, { endpointId, event, reference: row.id, body });
  }
}
