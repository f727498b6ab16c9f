import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { findPayTag } from '#modules/customers';
import { type EmailProvider, EmailRefused } from '../../providers/email/port.ts';
import { signLink } from './link.ts';
import { readStatement, StatementDoesNotTie } from './statement.ts';
import { statementMail } from './statement-mail.ts';
import { type Claimed, claimDue, endRequested, updateRequested } from './store.ts';

/** A worker that has not written anything by then has died. */
const LEASE_MS = 2 * 60 * 1000;
const AT_ONCE = 4;
/** In one round at most; what is left waits for the next. */
const BATCHES_MAX = 25;
const ATTEMPTS_MAX = 10;
const BACKOFF_BASE_MS = 30_000;
const BACKOFF_MAX_MS = 60 * 60 * 1000;
/** Mail is read later than an answer is followed. */
const MAILED_LINK_TTL_MS = 24 * 60 * 60 * 1000;

type Deps = { db: Database; keyring: Keyring; clock: Clock; log: Logger; publicUrl: string; email: EmailProvider };

/**
 * Takes up the statements that are due: reads each to its end, so that one that is Ready is known to tie, and mails its
 * link where the customer has an address. Any number of processes may do so at once. One that dies is followed by another
 * when its lease is over, so that a mail may come twice and never not at all.
 */
export async function prepareStatements(deps: Deps): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX; batch++) {
    const claimed = await claimDue(deps.db, { now: deps.clock.now(), leaseMs: LEASE_MS, limit: AT_ONCE });
    await Promise.all(claimed.map((each) => prepare(deps, each)));
    if (claimed.length < AT_ONCE) return;
  }
}

async function prepare(deps: Deps, claimed: Claimed): Promise<void> {
  const { row } = claimed;
  try {
    if (row.attempts > ATTEMPTS_MAX) throw new Error('its workers died each time, and none lived to give it up');
    if (row.status === 'Pending') await verify(deps, claimed);
    await updateRequested(deps.db, row.id, { status: 'Ready' });
    const isMailed = await mail(deps, claimed);
    await updateRequested(deps.db, row.id, { dueAt: null, ...(isMailed && { mailedAt: deps.clock.now() }) });
  } catch (error) {
    await putOff(deps, claimed, error);
  }
}

async function verify(deps: Deps, { row, wallet }: Claimed): Promise<void> {
  const { pages } = await readStatement(deps, { wallet, from: row.from, to: row.to });
  for await (const _lines of pages); // each line is held against the one before it while it is read
}

/** @returns false when she has no address */
async function mail(deps: Deps, { row, wallet, customerId }: Claimed): Promise<boolean> {
  const payTag = customerId === null ? undefined : await findPayTag(deps.db, deps.keyring, customerId);
  if (payTag?.email === undefined) return false;
  const { from, to, format } = row;
  const expiresAt = new Date(deps.clock.now().getTime() + MAILED_LINK_TTL_MS);
  const url = signLink(deps, { wallet, from, to, format }, expiresAt);
  await deps.email.send({ to: payTag.email, ...statementMail({ name: payTag.name, from, to, url, expiresAt }) });
  return true;
}

/** Tries again later what may go well then, and ends what will not. What is Ready stays so, mailed or not. */
async function putOff({ db, clock, log }: Deps, { row }: Claimed, error: unknown): Promise<void> {
  const isOver = isForEver(error) || row.attempts >= ATTEMPTS_MAX;
  const about = { err: error, statement: row.reference, attempts: row.attempts };
  if (isOver) {
    log.error(about, 'a statement could not be made ready or mailed; it is given up');
    await endRequested(db, row.id);
    return;
  }
  log.warn(about, 'a statement could not be made ready or mailed; it is tried again later');
  const delayMs = Math.min(BACKOFF_BASE_MS * 2 ** (row.attempts - 1), BACKOFF_MAX_MS);
  await updateRequested(db, row.id, { dueAt: new Date(clock.now().getTime() + delayMs) });
}

const isForEver = (error: unknown): boolean =>
  error instanceof StatementDoesNotTie || error instanceof DomainError || error instanceof EmailRefused;
