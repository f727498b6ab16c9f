import type { ReadMessage } from '../../providers/hooks/port.ts';
import type { Outcome } from './book-told.ts';
import type { MessageRow } from './inbox-store.ts';

const RETRY_BASE_MS = 1_000;
const RETRY_MAX_MS = 60 * 60_000;

/** When a message is tried again: each time after twice as long, up to an hour. */
export const retryAt = (now: Date, attempts: number): Date =>
  new Date(now.getTime() + Math.min(RETRY_BASE_MS * 2 ** Math.max(0, attempts - 1), RETRY_MAX_MS));

/** What is written of a message that was read: what it says, and what has become of it. */
export function changeOf(
  outcome: Outcome,
  { read: { event, told }, attempts, now }: { read: ReadMessage; attempts: number; now: Date },
): Partial<MessageRow> {
  const said = told.kind === 'TRANSFER' || told.kind === 'CHARGE' ? told : undefined;
  const isTriedAgain = outcome.state === 'DIFFERENT' && outcome.isTriedAgain === true;
  return {
    event: event ?? null,
    kind: told.kind === 'UNREADABLE' ? null : told.kind,
    reference: said?.reference ?? null,
    amount: said?.amount ?? null,
    currency: said?.currency ?? null,
    outcome: told.kind === 'TRANSFER' ? told.outcome : null,
    lastError: null,
    state: outcome.state,
    difference: outcome.state === 'DIFFERENT' ? outcome.difference : null,
    transactionId: ('transactionId' in outcome ? outcome.transactionId : undefined) ?? null,
    dueAt: isTriedAgain ? retryAt(now, attempts) : null,
    endedAt: outcome.state === 'DIFFERENT' ? null : now,
    updatedAt: now,
  };
}
