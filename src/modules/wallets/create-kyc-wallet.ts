import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { foldedWords } from '#lib/text/name-match.ts';
import { readName } from '#modules/customers';
import type { Currency } from '#modules/ledger';
import { assertPersonName } from '#modules/reserved-names';
import { insertKycProfile, type KycProfile, nextKycId, nextKycNumber, selectKycProfile } from './kyc-store.ts';
import { openWallet, type WalletMetadata } from './open-wallet.ts';
import { getPartnerWallet, type PartnerWalletView } from './wallet-view.ts';

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

type Deps = { db: Database; transact: Transact; keyring: Keyring; nubanInstitutionCode: string };

/**
 * Opens another wallet for a KYC profile. `profileId` is the partner's own number of a person: beside `kyc` the profile is made
 * with those names the first time, and used after that; alone it must exist. Without it we give the profile a number.
 *
 * @throws DomainError NAME_RESERVED; PROFILE_MISMATCH when the profile of this number has other names than those given, PROFILE_NOT_FOUND when
 *   only a profile was named and this partner has none of this number, INVALID_PARAMETER when neither was given
 */
export async function createKycWallet(
  deps: Deps,
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
