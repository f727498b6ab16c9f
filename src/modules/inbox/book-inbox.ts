import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { readPaystack } from '../../providers/hooks/paystack.ts';
import type { ReadHook, ReadMessage } from '../../providers/hooks/port.ts';
import { type BookingDeps, bookTold, type Outcome } from './book-told.ts';
import { openBody } from './message-body.ts';
import { type ClaimedMessage, claimDueMessages, type MessageRow, updateMessage } from './store.ts';

const AT_ONCE = 16;
/** In one run at most; the rest waits for the next. */
const BATCHES_MAX = 25;
/** Longer than any booking takes: whoever dies with a message is followed by another after that. */
const LEASE_MS = 60_000;
const RETRY_BASE_MS = 1_000;
const RETRY_MAX_MS = 60 * 60_000;
/** From this attempt on a failure is an error in the log. */
const FAILING_FROM = 5;

const readers: Readonly<Record<string, ReadHook>> = { paystack: readPaystack };

export type InboxDeps = BookingDeps & { db: Database; keyring: Keyring; clock: Clock; log: Logger };

/**
 * Books what is due in the inbox. Any number of processes may do so at once; when one dies, another takes over after its lease,
 * and what was booked already is not booked again. A message that cannot be booked is tried again at growing intervals, and
 * keeps no other waiting.
 */
export async function bookInbox(deps: InboxDeps): Promise<void> {
  const { db, clock } = deps;
  for (let batch = 0; batch < BATCHES_MAX; batch++) {
    const now = clock.now();
    const claimed = await claimDueMessages(db, [now, new Date(now.getTime() + LEASE_MS), AT_ONCE]);
    await Promise.all(claimed.map((each) => book(deps, each)));
    if (claimed.length < AT_ONCE) return;
  }
}

async function book(deps: InboxDeps, claimed: ClaimedMessage): Promise<void> {
  try {
    const read = readMessage(deps.keyring, claimed);
    const outcome = await bookTold(deps, { id: claimed.id, provider: claimed.provider, told: read.told });
    await updateMessage(deps.db, claimed.id, changeFor(deps, claimed, { read, outcome }));
    tellOf(deps, claimed, outcome);
  } catch (err) {
    const { id, attempts } = claimed;
    const about = { err, message: id, attempts };
    if (attempts >= FAILING_FROM)
      deps.log.error(about, 'a provider’s message cannot be booked: look at it in the inbox');
    else deps.log.warn(about, 'a provider’s message could not be booked; it will be tried again');
    const lastError = err instanceof DomainError ? err.code : 'INTERNAL_ERROR';
    const now = deps.clock.now();
    await updateMessage(deps.db, id, { lastError, dueAt: retryAt(now, attempts), updatedAt: now });
  }
}

/** A stored message as its provider means it. */
function readMessage(keyring: Keyring, { id, provider, bodySealed }: ClaimedMessage): ReadMessage {
  const reader = readers[provider];
  if (reader === undefined || bodySealed === null) throw new Error(`message ${id} cannot be read any more`);
  return reader(openBody(keyring, bodySealed));
}

/** When a message is tried again: each time after twice as long, up to an hour. */
const retryAt = (now: Date, attempts: number): Date =>
  new Date(now.getTime() + Math.min(RETRY_BASE_MS * 2 ** Math.max(0, attempts - 1), RETRY_MAX_MS));

function changeFor(
  { clock }: InboxDeps,
  { attempts }: ClaimedMessage,
  { read, outcome }: { read: ReadMessage; outcome: Outcome },
): Partial<MessageRow> {
  const now = clock.now();
  const { event, told } = read;
  const said = told.kind === 'TRANSFER' ? told : undefined;
  const facts = {
    event: event ?? null,
    kind: told.kind,
    reference: said?.reference ?? null,
    amount: said?.amount ?? null,
    currency: said?.currency ?? null,
    outcome: said?.outcome ?? null,
    lastError: null,
    updatedAt: now,
  };
  switch (outcome.state) {
    case 'DIFFERENT':
      return {
        ...facts,
        state: outcome.state,
        difference: outcome.difference,
        transactionId: outcome.transactionId ?? null,
        dueAt: outcome.isTriedAgain ? retryAt(now, attempts) : null,
        endedAt: null,
      };
    case 'BOOKED':
      return {
        ...facts,
        state: outcome.state,
        transactionId: outcome.transactionId,
        difference: null,
        dueAt: null,
        endedAt: now,
      };
    default:
      return { ...facts, state: outcome.state, difference: null, dueAt: null, endedAt: now };
  }
}

function tellOf({ log }: InboxDeps, { id, attempts }: ClaimedMessage, outcome: Outcome): void {
  if (outcome.state !== 'DIFFERENT' || (outcome.isTriedAgain === true && attempts !== FAILING_FROM)) return;
  const about = { message: id, difference: outcome.difference };
  log.error(about, 'a provider’s message does not agree with our books: look at it in the inbox');
}
