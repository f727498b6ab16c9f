import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { type CustomerRecord, findRecords, readBvn, readPhone, readRecord } from '#modules/customers';
import { findHolderOfNuban } from '#modules/wallets';
import { countFind, type FindBudget } from './budgets.ts';
import { type MaskedCustomer, maskCustomer } from './view-customer.ts';

/** Exactly one of these. */
export interface CustomerSearch {
  paytag?: string | undefined;
  nuban?: string | undefined;
  phone?: string | undefined;
  bvn?: string | undefined;
}

/**
 * Finds customers by their PayTag, an account number of theirs, their phone or their BVN: masked, frozen ones as well; one
 * who was erased by an account number alone. Audited: by which of them was searched and who was found, not what was searched for.
 * An operator has a budget of searches in an hour.
 *
 * @throws DomainError INVALID_PARAMETER, TOO_MANY_REQUESTS
 */
export async function findCustomers(
  deps: { transact: Transact; keyring: Keyring } & FindBudget,
  { actor, reason, ...search }: CustomerSearch & { actor: string; reason?: string | undefined },
): Promise<MaskedCustomer[]> {
  const given = Object.entries(search).filter(([, value]) => value !== undefined);
  const [by] = given[0] ?? [];
  if (by === undefined || given.length > 1) {
    throw new DomainError('INVALID_PARAMETER', 'paytag: give one of paytag, nuban, phone and bvn');
  }
  await countFind(deps, actor);
  return deps.transact(async (tx) => {
    const found = await select(tx, deps.keyring, search);
    const after = { by, found: found.map(({ id }) => id) };
    await recordChange(tx, { actor, action: 'customer.find', target: 'customers', after, reason });
    return found.map(maskCustomer);
  });
}

async function select(
  tx: Tx,
  keyring: Keyring,
  { paytag, nuban, phone, bvn }: CustomerSearch,
): Promise<CustomerRecord[]> {
  if (paytag !== undefined) return findRecords(tx, keyring, { paytag });
  if (phone !== undefined) return findRecords(tx, keyring, { phone: readPhone(phone) });
  if (bvn !== undefined) return findRecords(tx, keyring, { bvn: readBvn(bvn) });
  const holder = await findHolderOfNuban(tx, keyring, nuban ?? '');
  const record = holder === undefined ? undefined : await readRecord(tx, keyring, holder);
  return record === undefined ? [] : [record];
}
