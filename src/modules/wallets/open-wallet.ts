import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { randomId } from '#lib/random.ts';
import { assertNotFrozen } from '#modules/customers';
import { type Currency, openWalletAccount } from '#modules/ledger';
import { choosePrimary } from './change-store.ts';
import { nubanOf } from './nuban.ts';
import {
  insertWallet,
  lockCustomer,
  nextNubanSerial,
  selectByCustomer,
  selectKnownSince,
  selectPrimary,
  updateKnown,
  updateProven,
} from './store.ts';

interface Deps {
  keyring: Keyring;
  /** Our CBN institution code, which is part of the check digit of account numbers. */
  nubanInstitutionCode: string;
}

/** To whom a wallet belongs. */
type Holder =
  | { customerId: string; isPrimary: boolean; knownSince: Date | null; provenAt: Date | null }
  | { kycProfileId: number };

/** What a partner keeps with a wallet. */
export type WalletMetadata = Record<string, unknown>;

interface CustomerWallet {
  partnerId: string;
  customerId: string;
  /** Kept with a wallet that is opened now. */
  metadata?: WalletMetadata | undefined;
  /** The partner knows the customer, from now on if it did not before. Undefined: it links their BVN, and may or may not. */
  knownSince?: Date | undefined;
  /** The customer has proved there who they are, now: they onboarded or logged in. */
  provenAt?: Date | undefined;
}

/**
 * The wallet of a customer at a partner, which is opened the first time. A customer's first wallet anywhere is the primary one,
 * until they prove who they are at a partner for the first time: then it is the wallet there, so that whoever made a PayTag for
 * somebody does not go on receiving what is sent to it.
 *
 * @returns the wallet's reference, and whether it was opened now
 * @throws DomainError PAYTAG_NOT_FOUND for a customer who is frozen, as for one who does not exist
 */
export async function openCustomerWallet(
  tx: Tx,
  deps: Deps,
  { partnerId, customerId, metadata, provenAt, knownSince = provenAt }: CustomerWallet,
): Promise<{ reference: string; isNew: boolean }> {
  await assertNotFrozen(tx, deps.keyring, customerId); // before the wallets, in the order of a freeze
  await lockCustomer(tx, customerId);
  const { keyring } = deps;
  const existing = await selectByCustomer(tx, keyring, { partnerId, customerId });
  if (existing !== undefined) {
    const { reference } = existing.wallet;
    if (knownSince !== undefined && existing.wallet.knownSince === null) await updateKnown(tx, reference, knownSince);
    if (provenAt !== undefined && existing.wallet.provenAt === null) {
      await updateProven(tx, reference, provenAt);
      await choosePrimary(tx, keyring, customerId, provenAt);
    }
    return { reference, isNew: false };
  }
  const holder = {
    customerId,
    isPrimary: (await selectPrimary(tx, keyring, { customerId })) === undefined,
    knownSince: knownSince ?? (await selectKnownSince(tx, { partnerId, customerId })),
    provenAt: provenAt ?? null,
  };
  const reference = await openWallet(tx, deps, { partnerId, currency: 'NGN', holder, metadata });
  if (provenAt !== undefined) await choosePrimary(tx, keyring, customerId, provenAt);
  return { reference, isNew: true };
}

/** Whether a customer has a wallet at a partner where they have proved who they are. It stays so until this transaction ends. */
export async function hasProvenWallet(
  tx: Tx,
  keyring: Keyring,
  pair: { partnerId: string; customerId: string },
): Promise<boolean> {
  const [, existing] = await Promise.all([lockCustomer(tx, pair.customerId), selectByCustomer(tx, keyring, pair)]); // sent together
  return existing?.wallet.knownSince != null && existing.wallet.provenAt !== null;
}

/** Opens a wallet and its account. @returns the wallet's reference: ours, unique and opaque */
export async function openWallet(
  tx: Tx,
  deps: Deps,
  {
    partnerId,
    currency,
    holder,
    metadata,
  }: { partnerId: string; currency: Currency; holder: Holder; metadata?: WalletMetadata | undefined },
): Promise<string> {
  const reference = `PW-${randomId()}`;
  const holderId = 'customerId' in holder ? holder.customerId : undefined;
  const [accountId, serial] = await Promise.all([
    openWalletAccount(tx, deps.keyring, { partnerId, reference, currency, holderId }),
    nextNubanSerial(tx),
  ]); // sent together
  const nuban = nubanOf(deps.nubanInstitutionCode, serial);
  const tier = 'customerId' in holder ? 2 : 1;
  const whose = { customerId: null, kycProfileId: null, isPrimary: false, ...holder };
  await insertWallet(tx, deps.keyring, {
    partnerId,
    reference,
    accountId,
    nuban,
    tier,
    metadata,
    ...whose,
  });
  return reference;
}
