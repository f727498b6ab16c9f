import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Tx } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import type { CustomerRecord } from '#modules/customers';
import { recordOf } from './view-customer.ts';

/** What is masked elsewhere, and can be shown. */
export const revealable = ['bvn', 'phone', 'email', 'dateOfBirth', 'address'] as const;
export type Revealable = (typeof revealable)[number];

/** What was revealed; what is not on record is left out. */
export type Revealed = { id: string } & Partial<Pick<CustomerRecord, Revealable>>;

interface RevealRequest {
  actor: string;
  id: string;
  reason: string;
  fields?: readonly Revealable[] | undefined;
}

/**
 * Shows what is on record of a customer in the clear. Audited: who was shown what and why, not what it said.
 *
 * @param request.fields all of them when none is named
 * @throws DomainError CUSTOMER_NOT_FOUND
 */
export async function revealCustomer(
  { transact, keyring }: { transact: Transact; keyring: Keyring },
  request: RevealRequest,
): Promise<Revealed> {
  return transact((tx) => reveal(tx, keyring, request));
}

/** As `revealCustomer`, in a transaction of the caller. */
export async function reveal(
  tx: Tx,
  keyring: Keyring,
  { actor, id, reason, fields = [] }: RevealRequest,
): Promise<Revealed> {
  const record = await recordOf(keyring, tx, id);
  const shown = fields.length === 0 ? revealable : revealable.filter((field) => fields.includes(field));
  await recordChange(tx, { actor, action: 'customer.reveal', target: id, after: { fields: shown }, reason });
  return { id, ...Object.fromEntries(shown.map((field) => [field, record[field]])) };
}
