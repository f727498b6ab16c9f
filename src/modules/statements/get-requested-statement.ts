import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { linkExpiry } from './issue-statement.ts';
import { signLink, statementNotFound } from './link.ts';
import { type RequestedRow, selectOfCustomer } from './store.ts';

/** A statement that was left to a worker. */
export interface RequestedStatement
  extends Pick<RequestedRow, 'reference' | 'status' | 'format' | 'from' | 'to' | 'createdAt'> {
  mailedAt: Date | undefined;
  /** When it is ready: a new link each time, which expires in fifteen minutes. */
  link: { url: string; expiresAt: Date } | undefined;
}

/** @throws DomainError STATEMENT_NOT_FOUND, also for another customer's, or hers at another partner */
export async function getRequestedStatement(
  resources: { db: Database; keyring: Keyring; clock: Clock; publicUrl: string },
  asked: { partnerId: string; customerId: string; reference: string },
): Promise<RequestedStatement> {
  const found = await selectOfCustomer(resources.db, asked);
  if (found === undefined) throw statementNotFound();
  const { row, wallet } = found;
  const { reference, status, format, from, to, createdAt } = row;
  const expiresAt = linkExpiry(resources.clock.now());
  const link =
    status === 'Ready' ? { url: signLink(resources, { wallet, from, to, format }, expiresAt), expiresAt } : undefined;
  return { reference, status, format, from, to, createdAt, mailedAt: row.mailedAt ?? undefined, link };
}
