import { toMajor } from '#lib/minor-units.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { emitTo } from '#modules/outbox';
import { endpointsThatWant } from '#modules/webhooks';
import type { DisputeRow } from './store.ts';

/**
 * Tells what became of a dispute to those endpoints of the wallet's partner that name the event, in the transaction that made it
 * so. Nothing that was said of it stands in the event.
 */
export async function tellPartner(
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
