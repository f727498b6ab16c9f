import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { randomId } from '#lib/random.ts';
import { foldedWords } from '#lib/text/name-match.ts';
import { assertNotFrozen, readName } from '#modules/customers';
import { type Currency, openWalletAccount } from '#modules/ledger';
import { assertPersonName } from '#modules/reserved-names';
import { getPartnerWallet, type PartnerWalletView } from './find-wallets.ts';
import { insertKycProfile, type KycProfile, nextKycId, nextKycNumber, selectKycProfile } from './kyc-store.ts';
import {
  choosePrimary,
  insertWallet,
  lockCustomer,
  nextNubanSerial,
  selectByCustomer,
  selectKnownSince,
  selectPrimary,
  updateKnown,
  updateProven,
} from './store.ts';

interface OpenWalletDeps {
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
 * until they prove who they are at a partner for the first time: then it is the wallet there, so that a partner that made a PayTag for
 * somebody does not go on receiving what is sent to it.
 *
 * @returns the wallet's reference, and whether it was opened now
 * @throws DomainError PAYTAG_NOT_FOUND for a customer who is frozen, as for one who does not exist
 */
export async function openCustomerWallet(
  tx: Tx,
  deps: OpenWalletDeps,
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
async function openWallet(
  tx: Tx,
  deps: OpenWalletDeps,
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

export interface KycNames {
  firstName: string;
  lastName: string;
  otherName?: string | undefined;
}

export interface KycWalletRequest {
  partnerId: string;
  kyc?: KycNames | undefined;
  /** The partner's own number of the person. */
  profileId?: number | undefined;
  currency: Currency;
  metadata?: WalletMetadata | undefined;
}

type CreateKycWalletDeps = { db: Database; transact: Transact; keyring: Keyring; nubanInstitutionCode: string };

/**
 * Opens another wallet for a KYC profile. `profileId` is the partner's own number of a person: with `kyc` the profile is made
 * with those names the first time, and used after that; alone it must exist. Without it we give the profile a number.
 *
 * @throws DomainError NAME_RESERVED; PROFILE_MISMATCH when the profile of this number has other names than those given, PROFILE_NOT_FOUND when
 *   only a profile was named and this partner has none of this number, INVALID_PARAMETER when neither was given
 */
export async function createKycWallet(
  deps: CreateKycWalletDeps,
  { partnerId, kyc, profileId, ...wallet }: KycWalletRequest,
): Promise<PartnerWalletView> {
  const names = kyc === undefined ? undefined : readNames(kyc);
  const openFor = (profileOf: (tx: Tx) => Promise<KycProfile | undefined>) =>
    deps.transact(async (tx) => {
      const profile = await profileOf(tx);
      if (profile === undefined) return undefined;
      const reference = await openWallet(tx, deps, { ...wallet, partnerId, holder: { kycProfileId: profile.id } });
      return getPartnerWallet(tx, deps.keyring, { partnerId, reference });
    });

  if (profileId !== undefined) {
    const opened = await openFor((tx) => profileNumbered(tx, deps.keyring, { partnerId, number: profileId, names }));
    if (opened === undefined) throw new DomainError('PROFILE_NOT_FOUND', 'there is no such KYC profile');
    return opened;
  }
  if (names === undefined)
    throw new DomainError('INVALID_PARAMETER', 'kyc: give kyc {firstName, lastName} or a profileId');
  for (;;) {
    const next = await nextKycNumber(deps.db, partnerId);
    const opened = await openFor((tx) => insertKycProfile(tx, deps.keyring, { partnerId, ...next, ...names }));
    // The partner has chosen this very number meanwhile: the next one is greater.
    if (opened !== undefined) return opened;
  }
}

/** The profile that the partner means; undefined when it has none of this number, and no names to make it with. */
async function profileNumbered(
  tx: Tx,
  keyring: Keyring,
  { partnerId, number, names }: { partnerId: string; number: number; names: KycNames | undefined },
): Promise<KycProfile | undefined> {
  const named = { partnerId, number };
  const [found, id] = await Promise.all([selectKycProfile(tx, keyring, named), nextKycId(tx)]); // sent together
  const made =
    found === undefined && names !== undefined
      ? await insertKycProfile(tx, keyring, { id, ...named, ...names })
      : undefined;
  if (made !== undefined) return made;
  const existing = found ?? (await selectKycProfile(tx, keyring, named)); // another has just made it
  if (existing !== undefined && names !== undefined && !hasNames(existing, names)) {
    throw new DomainError('PROFILE_MISMATCH', 'kyc: your KYC profile of this profileId has other names');
  }
  return existing;
}

/** Whether a profile has these names, however they are written. An other name that is not given is not compared. */
const hasNames = (profile: KycProfile, { firstName, lastName, otherName }: KycNames): boolean =>
  isSame(profile.firstName, firstName) &&
  isSame(profile.lastName, lastName) &&
  (otherName === undefined || isSame(profile.otherName ?? '', otherName));

const isSame = (one: string, other: string): boolean => foldedWords(one).join('') === foldedWords(other).join('');

function readNames({ firstName, lastName, otherName }: KycNames): KycNames {
  const names = {
    firstName: readName('kyc.firstName', firstName),
    lastName: readName('kyc.lastName', lastName),
    otherName: otherName === undefined ? undefined : readName('kyc.otherName', otherName),
  };
  assertPersonName(names, { within: 'kyc.' });
  return names;
}

/** Weights of the check digit, repeated over institution code and serial number. */
const WEIGHTS = [3, 7, 3];

const SERIAL_DIGITS = 9;

/**
 * The check digit of a Nuban: every digit of institution code and serial is weighted 3, 7, 3, 3, 7, 3 …, and the
 * digit brings the sum to a multiple of ten. Source: CBN, Nigeria Uniform Bank Account Number standard (2010, revised
 * 2020); a bank's three-digit code counts there as six with leading zeros, which add nothing.
 */
export function checkDigit(institutionCode: string, serial: string): string {
  const sum = Array.from(institutionCode.padStart(6, '0') + serial).reduce(
    (total, digit, position) => total + Number(digit) * (WEIGHTS[position % WEIGHTS.length] ?? 0),
    0,
  );
  return String((10 - (sum % 10)) % 10);
}

/** The ten-digit account number of a serial number: nine digits and the check digit. */
export function nubanOf(institutionCode: string, serialNumber: number): string {
  const serial = String(serialNumber).padStart(SERIAL_DIGITS, '0');
  if (serial.length > SERIAL_DIGITS) throw new RangeError('all account numbers of this institution are given out');
  return serial + checkDigit(institutionCode, serial);
}
