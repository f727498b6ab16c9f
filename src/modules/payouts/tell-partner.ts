import { toMajor } from '#lib/minor-units.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { emitTo } from '#modules/outbox';
import { endpointsThatWant } from '#modules/webhooks';
import { type PayoutRow, selectByTransaction } from './store.ts';

type PayoutEvent = 'payout.sent' | 'payout.successful' | 'payout.failed' | 'payout.reversed';

const STATUSES = {
  'payout.sent': 'Pending',
  'payout.successful': 'Successful',
  'payout.failed': 'Failed',
  'payout.reversed': 'Reversed',
} as const satisfies Record<PayoutEvent, string>;

/** What is told of a payout whose state has changed, in order: one that was paid and sent back at once has succeeded before. */
export function eventsOfChange(before: PayoutRow, after: PayoutRow): PayoutEvent[] {
  if (before.state === after.state) return [];
  if (after.state === 'SUCCESSFUL') return ['payout.successful'];
  if (after.state === 'FAILED') return ['payout.failed'];
  if (after.state !== 'REVERSED') return [];
  return before.state === 'SUCCESSFUL' ? ['payout.reversed'] : ['payout.successful', 'payout.reversed'];
}

/**
 * Tells what became of a payout to those endpoints of the wallet's partner that name the event, in the transaction that made it
 * so. Whose account was paid does not stand in the event.
 */
export async function tellPartner(tx: Tx, event: PayoutEvent, row: PayoutRow): Promise<void> {
  const endpoints = await endpointsThatWant(tx, { ownerId: row.partnerId, event, toKeep: true });
  if (endpoints.length === 0) return;
  const transaction = (await selectByTransaction(tx, { id: row.transactionId }))?.transaction;
  if (transaction === undefined) throw new Error(`payout ${row.id} has no transaction`);
  const { reference } = transaction;
  const data = {
    Wallet: row.wallet,
    FailureReason: event === 'payout.failed' ? (row.failureReason ?? '') : '',
    BankName: row.bankName,
    Transaction: {
      Amount: toMajor(row.amount),
      Fee: toMajor(transaction.fee + transaction.stampDuty),
      Status: STATUSES[event],
      Reference: reference,
      ExternalReference: transaction.externalReference ?? '',
      Comment: transaction.comment ?? '',
    },
    CreatedAt: row.createdAt,
    ...(row.sentAt !== null && { SentAt: row.sentAt }),
    ...(event !== 'payout.sent' && row.endedAt !== null && { EndedAt: row.endedAt }),
    ...(event === 'payout.reversed' && row.reversedAt !== null && { ReversedAt: row.reversedAt }),
  };
  const body = JSON.stringify({ event, reference, data });
  for (const { endpointId } of endpoints) await emitTo(tx, { endpointId, event, reference, body });
}
