import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { type LinkSession, linkExpiry } from './issue-statement.ts';
import { signLink, statementNotFound } from './link.ts';
import { type RequestedRow, selectOfCustomer } from './store.ts';

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
