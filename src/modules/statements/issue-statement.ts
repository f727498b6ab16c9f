import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { getCustomerWallet } from '#modules/wallets';
import { type Format, signLink } from './link.ts';
import { readPeriod } from './period.ts';

/** Short, because whoever has the link can read the statement: it is meant to be followed at once. */
const LINK_TTL_MS = 15 * 60 * 1000;

/** When a link expires that is given out now, in a session that ends then. */
export const linkExpiry = (now: Date, { expiresAt }: LinkSession): Date =>
  new Date(Math.min(now.getTime() + LINK_TTL_MS, expiresAt.getTime()));

/** The session in which a link is asked for. */
export interface LinkSession {
  id: string;
  expiresAt: Date;
}

/** Whose statement is asked for, of which days or moments, and in which format. */
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
