import { equalDigests } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { operator } from './tables.ts';

type Row = typeof operator.$inferSelect;

/** What the key of this code is used for. */
const PURPOSE = 'operators.operator';

/** What is vouched for: who it is, what they may do, and what proves that it is them. */
export type VouchedFor = Pick<Row, 'id' | 'name' | 'role' | 'status' | 'tokenDigest' | 'tokenExpiresAt'>;

/**
 * The message authentication code of an operator, by a key that the database does not have: who writes to the tables alone makes
 * no operator, raises no role and prolongs no token.
 */
export function macOf(keyring: Keyring, row: VouchedFor): Buffer {
  const { id, name, role, status, tokenDigest, tokenExpiresAt } = row;
  const facts = [id, name, role, status, tokenDigest.toString('hex'), tokenExpiresAt.toISOString()];
  return keyring.vouchFor(PURPOSE, JSON.stringify(facts));
}

/** Whether the server wrote this row as it stands. */
export const isAuthentic = (keyring: Keyring, row: VouchedFor & Pick<Row, 'mac'>): boolean =>
  row.mac !== null && equalDigests(row.mac, macOf(keyring, row));
