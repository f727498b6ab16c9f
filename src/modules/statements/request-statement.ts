import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { randomId } from '#lib/random.ts';
import type { Throttles } from '#modules/limits';
import { getCustomerWallet } from '#modules/wallets';
import { type Format, readPeriod, signLink, statementNotFound } from './link.ts';
import { insertRequested, type RequestedRow, selectOfCustomer } from './store.ts';

/** Each is mailed: the limit keeps a customer's mailbox from being filled. */
const PER_WALLET = { name: 'asynchronous statements', points: 20, windowS: 3600 };

/**
 * Has a worker prepare a statement, which checks it and mails its link if the customer has an address. A period without an
 * end ends now, not when the worker comes to it.
 *
 * @returns its reference
 * @throws DomainError INVALID_PARAMETER for a period that `readPeriod` refuses, WALLET_NOT_FOUND, TOO_MANY_REQUESTS
 */
export async function requestStatement(
  deps: { db: Database; transact: Transact; keyring: Keyring; clock: Clock; throttles: Throttles },
  { partnerId, customerId, format, ...days }: StatementQuery,
): Promise<string> {
  const now = deps.clock.now();
  const wallet = await getCustomerWallet(deps, { partnerId, customerId });
  const period = readPeriod(days, { now, movedAt: wallet.wallet.movedAt });
  await deps.throttles.take(PER_WALLET, wallet.reference);
  const reference = `STM-${randomId()}`;
  const statement = { ...period, reference, walletId: wallet.id, format, dueAt: now, createdAt: now };
  await deps.transact(async (tx) => insertRequested(tx, statement));
  return reference;
}

/** Short, because anybody with the link can read the statement: it is meant to be followed immediately. */
const LINK_TTL_MS = 15 * 60 * 1000;

/** When a link expires that is given out now, in a session that ends then. */
const linkExpiry = (now: Date, { expiresAt }: LinkSession): Date =>
  new Date(Math.min(now.getTime() + LINK_TTL_MS, expiresAt.getTime()));

/** The session that a link belongs to. */
export interface LinkSession {
  id: string;
  expiresAt: Date;
}

/** A statement's customer, days or moments, and format. */
export interface StatementQuery {
  partnerId: string;
  customerId: string;
  from?: string | undefined;
  to?: string | undefined;
  format: Format;
}

/**
 * A link to the statement of a customer's wallet at a partner. It ends in fifteen minutes, and with the session; the statement is read and
 * written when the link is followed.
 *
 * @throws DomainError INVALID_PARAMETER for a period that `readPeriod` refuses, WALLET_NOT_FOUND
 */
export async function issueStatement(
  deps: { db: Database; keyring: Keyring; clock: Clock; publicUrl: string },
  { partnerId, customerId, format, session, ...days }: StatementQuery & { session: LinkSession },
): Promise<string> {
  const now = deps.clock.now();
  const { reference, wallet } = await getCustomerWallet(deps, { partnerId, customerId });
  const period = readPeriod(days, { now, movedAt: wallet.movedAt });
  return signLink(
    deps,
    { ...period, wallet: reference, format, origin: { session: session.id } },
    linkExpiry(now, session),
  );
}

/** A statement that a worker prepares. */
export interface RequestedStatement
  extends Pick<RequestedRow, 'reference' | 'status' | 'format' | 'from' | 'to' | 'createdAt'> {
  mailedAt: Date | undefined;
  /** The error code of what it failed for. */
  failureReason: string | undefined;
  /** Given when it is ready: a new link each time, which ends in fifteen minutes, and with the session. */
  link: { url: string; expiresAt: Date } | undefined;
}

/**
 * How far a requested statement is.
 *
 * @throws DomainError STATEMENT_NOT_FOUND, also for another customer's, and for this customer's at another partner
 */
export async function getRequestedStatement(
  deps: { db: Database; keyring: Keyring; clock: Clock; publicUrl: string },
  { session, ...asked }: { partnerId: string; customerId: string; reference: string; session: LinkSession },
): Promise<RequestedStatement> {
  const found = await selectOfCustomer(deps.db, asked);
  if (found === undefined) throw statementNotFound();
  const { row, wallet } = found;
  const { reference, status, format, from, to, createdAt } = row;
  const expiresAt = linkExpiry(deps.clock.now(), session);
  const origin = { session: session.id };
  const link =
    status === 'Ready'
      ? { url: signLink(deps, { wallet, from, to, format, origin }, expiresAt), expiresAt }
      : undefined;
  return {
    reference,
    status,
    format,
    from,
    to,
    createdAt,
    mailedAt: row.mailedAt ?? undefined,
    failureReason: row.failureReason ?? undefined,
    link,
  };
}
