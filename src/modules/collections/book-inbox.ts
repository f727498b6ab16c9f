import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import { type BookingDeps, bookProviderEvent, changeOf, type Outcome, retryAt } from './book-provider-event.ts';
import { readMessage, sealBody } from './message.ts';
import { type ClaimedMessage, claimDueMessages, insertMessage, selectByDigest, updateMessage } from './store.ts';

const AT_ONCE = 16;

/** The most batches of one run. */
const BATCHES_MAX = 25;

/** Longer than any booking takes: then another worker takes over the message of a dead one. */
const LEASE_MS = 60_000;

/** Failures are logged as errors from this attempt on. */
const FAILING_FROM = 5;

export type InboxDeps = BookingDeps & { db: Database; keyring: Keyring; clock: Clock; log: Logger };

/**
 * Books the due messages of the inbox. Several processes may do so at once; when one dies, another takes over after its lease,
 * and nothing is booked twice. A message that cannot be booked is retried at growing intervals and delays no other.
 */
export async function bookInbox(deps: InboxDeps, closing?: AbortSignal): Promise<void> {
  const { db, clock } = deps;
  for (let batch = 0; batch < BATCHES_MAX; batch++) {
    if (closing?.aborted === true) return;
    const now = clock.now();
    const claimed = await claimDueMessages(db, [now, new Date(now.getTime() + LEASE_MS), AT_ONCE]);
    await Promise.all(claimed.map((each) => book(deps, each)));
    if (claimed.length < AT_ONCE) return;
  }
}

async function book(deps: InboxDeps, claimed: ClaimedMessage): Promise<void> {
  try {
    logDifference(deps, claimed, await bookClaimed(deps, claimed));
  } catch (err) {
    const { id, attempts } = claimed;
    const fields = { event: 'inbox.booking_failed', err, messageId: id, attempts };
    if (attempts >= FAILING_FROM)
      deps.log.error(fields, 'a provider message cannot be booked: look at it in the inbox');
    else deps.log.warn(fields, 'booking a provider message failed; a worker retries');
    const lastError = err instanceof DomainError ? err.code : 'INTERNAL_ERROR';
    const now = deps.clock.now();
    await updateMessage(deps.db, id, { lastError, dueAt: retryAt(now, attempts), updatedAt: now });
  }
}

/** Books a stored message. Repeated and concurrent calls are safe. */
async function bookClaimed(deps: InboxDeps, claimed: ClaimedMessage): Promise<Outcome> {
  const read = readMessage(deps.keyring, claimed);
  const { id, provider, attempts } = claimed;
  const changeFor = (outcome: Outcome) => changeOf(outcome, { read, attempts, now: deps.clock.now() });
  return bookProviderEvent(deps, { id, provider, content: read.content, changeFor });
}

/** Stores a provider's message once, and books it at once. @throws Error when it cannot be booked now; a worker retries */
export async function receiveAndBook(
  deps: InboxDeps,
  { provider, origin, body }: { provider: string; origin: 'HOOK' | 'COMPARISON'; body: Buffer },
): Promise<Outcome> {
  await receiveMessage(deps, { provider, origin, body });
  const row = await selectByDigest(deps.db, { provider, digest: sha256(body) });
  if (row === undefined) throw new Error('a message that was stored is gone');
  // The stored body may have been purged: these are the same bytes.
  return bookClaimed(deps, { ...row, bodySealed: row.bodySealed ?? sealBody(deps.keyring, row, body.toString()) });
}

function logDifference({ log }: InboxDeps, { id, attempts }: ClaimedMessage, outcome: Outcome): void {
  if (outcome.state !== 'DIFFERENT' || (outcome.isRetried === true && attempts !== FAILING_FROM)) return;
  const fields = { event: 'inbox.differs', messageId: id, difference: outcome.difference };
  log.error(fields, 'a provider message is unreadable or contradicts the books: look at it in the inbox');
}

/**
 * Stores a provider's message, once however often it comes; a worker books it. The caller has verified its origin.
 *
 * @param body the bytes as they came
 * @returns false for a message that is already stored
 */
export async function receiveMessage(
  { db, keyring, clock }: { db: Executor; keyring: Keyring; clock: Clock },
  { provider, origin, body }: { provider: string; origin: 'HOOK' | 'COMPARISON'; body: Buffer },
): Promise<boolean> {
  const digest = sha256(body);
  const bodySealed = sealBody(keyring, { provider, digest }, body.toString());
  const stored = await insertMessage(db, [provider, origin, digest, bodySealed, clock.now()]);
  return stored.length > 0;
}
