import type { Logger } from 'pino';
import { type Brand, signatureOf } from '#lib/brand.ts';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { findCustomer, fullName } from '#modules/customers';
import { sessionsEndedSince } from '#modules/sessions';
import { type Email, type EmailProvider, EmailRefused } from '../../providers/email/port.ts';
import { day, periodText, time } from './display-text.ts';
import type { Period } from './link.ts';
import { signLink } from './link.ts';
import { readStatement, StatementDoesNotBalance } from './statement.ts';
import { type ClaimedStatement, claimDue, giveUpRequested, updateRequested } from './store.ts';

/** The mail that a statement is ready. It holds nothing of the statement's content. */
const statementMail = ({
  name,
  url,
  expiresAt,
  brand,
  ...period
}: Period & { name: string; url: string; expiresAt: Date; brand: Brand }): Pick<Email, 'subject' | 'text'> => ({
  subject: `Your ${brand.name} statement, ${periodText(period)}`,
  text: `Hello ${name},

the statement of account that you asked for, ${periodText(period)}, is ready:

${url}

The link works until ${time(expiresAt)} on ${day(expiresAt)} (West Africa Time). Anyone with the link can read the statement, so do not pass it on.

If you did not ask for a statement, tell the partner with whom you keep your wallet.

${signatureOf(brand)}
`,
});

/** A worker that has not reported by then counts as dead. */
const LEASE_MS = 2 * 60 * 1000;
const AT_ONCE = 4;
/** In one run at most; the rest waits for the next. */
const BATCHES_MAX = 25;
const ATTEMPTS_MAX = 10;
const BACKOFF_BASE_MS = 30_000;
const BACKOFF_MAX_MS = 60 * 60 * 1000;
/** Longer than that of a link in an answer: mail is read later. */
const MAILED_LINK_TTL_MS = 24 * 60 * 60 * 1000;

type Deps = {
  db: Database;
  readLong: ReadLong;
  keyring: Keyring;
  clock: Clock;
  log: Logger;
  securityLog: SecurityLog;
  publicUrl: string;
  email: EmailProvider;
  brand: Brand;
};

/**
 * Prepares the statements that are due: reads each to its end, so that one that is Ready is known to balance, and mails its
 * link if the customer has a proven address. Several processes may do so at the same time. When one dies, another takes over after its
 * lease: a mail may be sent twice, and is never lost.
 */
export async function prepareStatements(deps: Deps, closing?: AbortSignal): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX; batch++) {
    if (closing?.aborted === true) return;
    const claimed = await claimDue(deps.db, { now: deps.clock.now(), leaseMs: LEASE_MS, limit: AT_ONCE });
    await Promise.all(claimed.map((each) => prepare(deps, each)));
    if (claimed.length < AT_ONCE) return;
  }
}

async function prepare(deps: Deps, claimed: ClaimedStatement): Promise<void> {
  const { row } = claimed;
  try {
    if (row.attempts > ATTEMPTS_MAX) throw new Error('each worker that took it up died');
    if (row.status === 'Pending') await verify(deps, claimed);
    await updateRequested(deps.db, row.id, { status: 'Ready' });
    const isMailed = await mail(deps, claimed);
    await updateRequested(deps.db, row.id, { dueAt: null, ...(isMailed && { mailedAt: deps.clock.now() }) });
  } catch (error) {
    await retryOrGiveUp(deps, claimed, error);
  }
}

async function verify(deps: Deps, { row, wallet }: ClaimedStatement): Promise<void> {
  const { pages } = await readStatement(deps, { wallet, from: row.from, to: row.to });
  for await (const _lines of pages); // reading checks each line against the one before it
}

/** @returns false when the customer has no proven address, or may no longer read the statement */
async function mail(deps: Deps, { row, wallet, partnerId, customerId }: ClaimedStatement): Promise<boolean> {
  if (customerId === null) return false;
  const customer = await findCustomer(deps.db, deps.keyring, customerId);
  const { from, to, format, createdAt } = row;
  if (customer?.proven.email === undefined) return false;
  if (await sessionsEndedSince(deps.db, { partnerId, customerId }, createdAt)) return false;
  const expiresAt = new Date(deps.clock.now().getTime() + MAILED_LINK_TTL_MS);
  const url = signLink(deps, { wallet, from, to, format, origin: { at: createdAt } }, expiresAt);
  const name = fullName(customer);
  await deps.email.send({
    to: customer.proven.email,
    ...statementMail({ name, from, to, url, expiresAt, brand: deps.brand }),
  });
  return true;
}

/** Has it tried again later, or gives it up when that would not help. What is Ready stays so, mailed or not. */
async function retryOrGiveUp({ db, clock, log }: Deps, { row }: ClaimedStatement, error: unknown): Promise<void> {
  const givesUp = isPermanent(error) || row.attempts >= ATTEMPTS_MAX;
  const about = { err: error, statement: row.reference, attempts: row.attempts };
  if (givesUp) {
    log.error({ event: 'statement.failed', ...about }, 'a statement could not be prepared or mailed; it is abandoned');
    await giveUpRequested(db, row.id, error instanceof DomainError ? error.code : 'INTERNAL_ERROR');
    return;
  }
  log.warn({ event: 'statement.retry', ...about }, 'a statement could not be prepared or mailed; a worker retries');
  const delayMs = Math.min(BACKOFF_BASE_MS * 2 ** (row.attempts - 1), BACKOFF_MAX_MS);
  await updateRequested(db, row.id, { dueAt: new Date(clock.now().getTime() + delayMs) });
}

const isPermanent = (error: unknown): boolean =>
  error instanceof StatementDoesNotBalance ||
  error instanceof EmailRefused ||
  (error instanceof DomainError && error.code !== 'BUSY');
