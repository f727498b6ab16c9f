import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { type BookingDeps, bookTold, type Outcome } from './book-told.ts';
import { type ClaimedMessage, claimDueMessages, selectByDigest, updateMessage } from './inbox-store.ts';
import { sealBody } from './message-body.ts';
import { changeOf, retryAt } from './message-change.ts';
import { readMessage } from './read-message.ts';
import { receiveMessage } from './receive-message.ts';

const AT_ONCE = 16;
/** In one run at most; the rest waits for the next. */
const BATCHES_MAX = 25;
/** Longer than any booking takes: whoever dies with a message is followed by another after that. */
const LEASE_MS = 60_000;
/** From this attempt on a failure is an error in the log. */
const FAILING_FROM = 5;

export type InboxDeps = BookingDeps & { db: Database; keyring: Keyring; clock: Clock; log: Logger };

/**
 * Books what is due in the inbox. Any number of processes may do so at once; when one dies, another takes over after its lease,
 * and what was booked already is not booked again. A message that cannot be booked is tried again at growing intervals, and
 * keeps no other waiting.
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
    tellOf(deps, claimed, await bookClaimed(deps, claimed));
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

/** Books a message that is there. It is safe to do so twice, and at once. */
async function bookClaimed(deps: InboxDeps, claimed: ClaimedMessage): Promise<Outcome> {
  const read = readMessage(deps.keyring, claimed);
  const { id, provider, attempts } = claimed;
  const changeFor = (outcome: Outcome) => changeOf(outcome, { read, attempts, now: deps.clock.now() });
  return bookTold(deps, { id, provider, told: read.told, changeFor });
}

/** Stores what a provider told us, once, and books it at once. @throws Error when it cannot be booked now: a worker will */
export async function receiveAndBook(
  deps: InboxDeps,
  { provider, origin, body }: { provider: string; origin: 'HOOK' | 'COMPARISON'; body: Buffer },
): Promise<Outcome> {
  await receiveMessage(deps, { provider, origin, body });
  const row = await selectByDigest(deps.db, { provider, digest: sha256(body) });
  if (row === undefined) throw new Error('a message that was stored is gone');
  // What it said may be forgotten: these are the same bytes.
  return bookClaimed(deps, { ...row, bodySealed: row.bodySealed ?? sealBody(deps.keyring, row, body.toString()) });
}

function tellOf({ log }: InboxDeps, { id, attempts }: ClaimedMessage, outcome: Outcome): void {
  if (outcome.state !== 'DIFFERENT' || (outcome.isTriedAgain === true && attempts !== FAILING_FROM)) return;
  const about = { message: id, difference: outcome.difference };
  const why = outcome.difference === 'UNREADABLE' ? 'is not as documented' : 'does not agree with our books';
  log.error(about, `a provider’s message ${why}: look at it in the inbox`);
}
