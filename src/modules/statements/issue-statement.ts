import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { getCustomerWallet } from '#modules/wallets';
import { type Format, signLink } from './link.ts';
import { readPeriod } from './period.ts';

/** A link is for whoever has it: it is meant to be followed at once. */
const LINK_TTL_MS = 15 * 60 * 1000;

/** When a link that is given out now expires. */
export const linkExpiry = (now: Date): Date => new Date(now.getTime() + LINK_TTL_MS);

/** Whose statement, of which days or moments, and how written. */
export interface Asked {
  partnerId: string;
  customerId: string;
  from?: string | undefined;
  to?: string | undefined;
  format: Format;
}

/**
 * A link to the statement of a customer's wallet at a partner. It expires in fifteen minutes; what it answers is read and
 * written down when it is followed.
 *
 * @throws DomainError INVALID_PARAMETER for a period that there is no statement of, WALLET_NOT_FOUND
 */
export async function issueStatement(
  resources: { db: Database; keyring: Keyring; clock: Clock; publicUrl: string },
  { partnerId, customerId, format, ...days }: Asked,
): Promise<string> {
  const now = resources.clock.now();
  const period = readPeriod(days, now);
  const { reference } = await getCustomerWallet(resources, { partnerId, customerId });
  return signLink(resources, { ...period, wallet: reference, format }, linkExpiry(now));
}
